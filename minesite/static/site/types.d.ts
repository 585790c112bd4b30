// Types of site/dom.js.

type TagOf<What extends string> = What extends `${infer Tag}.${string}` ? Tag : What;

/** "button.primary" -> HTMLButtonElement */
export type ElementOf<What extends string> =
  TagOf<What> extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[TagOf<What>] : HTMLElement;

export type Child = Node | string | null | undefined;

export type Properties = Record<string, string | number | boolean | null | undefined | ((event: any) => unknown)>;
