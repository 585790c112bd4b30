from django.apps import AppConfig


class AnalyserConfig(AppConfig):
    name = "games.analyser"
    label = "analyser"
    verbose_name = "Analyser"
