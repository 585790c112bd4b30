from tests.lobby.conftest import (  # noqa: F401
    _closes_host,
    _no_host_stays_open,
    claim_is_offered,
)
