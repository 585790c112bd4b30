"""The operations of the HTTP API that need the lobby: queues, challenges, the account's match."""
