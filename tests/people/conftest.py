from tests.lobby.conftest import claim_is_offered

__all__ = ["claim_is_offered"]
