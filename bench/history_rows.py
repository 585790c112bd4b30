"""Rows for the bench of the history: the database makes them itself, from numbers."""

from __future__ import annotations

from typing import Any

ORDINARY, HEAVY, HOUSE, GUEST = "ordinary", "heavy", "house-bot", "visitor"
PLAYERS = 20_000
GUESTS = 200_000
BATCH = 50_000

# Numbers low..high, as a table with the column i.
NUMBERS = """WITH RECURSIVE n(i) AS (
    SELECT CAST(%s AS bigint) UNION ALL SELECT i + 1 FROM n WHERE i < %s
) """
DIALECT: dict[str, dict[str, str]] = {
    "sqlite": {
        "id": "printf('%%012d', (i * 387420489) %% 1000000000000)",
        "time": "datetime('2025-01-01', '+' || i || ' seconds')",
        "log": "zeroblob(400)",
        "json": "'{}'",
    },
    "postgresql": {
        "id": "lpad(((i * 387420489) %% 1000000000000)::text, 12, '0')",
        "time": "timestamptz '2025-01-01' + i * interval '1 second'",
        "log": "decode(repeat('5a', 400), 'hex')",
        "json": "'{}'::jsonb",
    },
}
MODE = "CASE i %% 4 WHEN 0 THEN 'race' WHEN 1 THEN 'battleship' WHEN 2 THEN 'area-attack' "
MODE += "ELSE 'minewars' END"
NAME = "CASE {id} WHEN 2 THEN 'heavy' WHEN 3 THEN 'house-bot' WHEN 4 THEN 'ordinary' "
NAME += "ELSE 'player' || {id} END"

USERS = """INSERT INTO accounts_user (id, username, email, kind, password, is_staff, is_active,
    is_superuser, date_joined, preferences)
SELECT i, {name}, '', CASE WHEN i = 3 THEN 'house' WHEN i > {players} THEN 'guest'
    WHEN i %% 500 = 5 THEN 'bot' ELSE 'registered' END,
    '!', false, true, false, {time}, {json} FROM n"""
RATINGS = """INSERT INTO accounts_rating (user_id, mode, mu, sigma, shown, games, updated_at,
    board)
SELECT i, mode, 25, 4, 1000 + (i * 7919) %% 1000, 50, {time},
    CASE WHEN i %% 500 = 5 THEN 'bot' ELSE 'registered' END FROM n,
    (SELECT 'race' AS mode UNION SELECT 'battleship' UNION SELECT 'area-attack'
     UNION SELECT 'minewars') modes
WHERE i <> 3"""
MATCH_ROWS = """INSERT INTO games_match (id, mode, rules_version, options, rated, source, status,
    reason, created_at, started_at, ended_at, duration_ms, commitment, seed, deal, log,
    log_entries, aided)
SELECT {id}, {mode}, 1, {json}, true, 'queue', 'over', 'time', {time}, {time}, {time}, 60000,
    '0', '0', '', {log}, 40, false FROM n"""
# The busy player sits in every twentieth match, half of the time against the house bot, which
# sits in every fifth; every seventh has a guest without an account; the rest is anybody.
SEATS = """, seat AS (
    SELECT i, number, CASE WHEN number = 0 AND i %% 20 = 0 THEN 2
        WHEN number = 1 AND {house} THEN 3
        WHEN i %% 7 = 1 AND number = CASE WHEN {house} THEN 0 ELSE 1 END THEN NULL
        ELSE 4 + (i * (7 + number * 6) + number) %% {others} END AS who
    FROM n, (SELECT 0 AS number UNION SELECT 1) numbers
)
INSERT INTO games_seat (match_id, number, user_id, name, kind, rank, score, result, absent, mode,
    ended_at, rating_before, rating_after)
SELECT {id}, number, who, COALESCE({who_name}, 'visitor'), 'registered', 1 + number, 0,
    CASE WHEN i %% 1000 = 20 THEN 'draw' WHEN ((i / 40) + number) %% 2 = 0 THEN 'win'
    ELSE 'loss' END, false, {mode}, {time}, 1000, 1001
FROM seat ORDER BY i, number"""
CHANGES = """INSERT INTO accounts_ratingchange (user_id, mode, match_id, mu, sigma, before, after,
    at)
SELECT user_id, mode, match_id, 25, 4, 1000, 1001, ended_at FROM games_seat
WHERE id > %s AND id <= %s AND user_id IS NOT NULL AND user_id <> 3 ORDER BY id"""
MEETINGS = """INSERT INTO games_meeting (seat_id, user_id, opponent_id, name, mode, result,
    ended_at)
SELECT mine.id, mine.user_id, other.user_id, LOWER(other.name), mine.mode, mine.result,
    mine.ended_at
FROM games_seat mine
JOIN games_seat other ON other.match_id = mine.match_id AND other.number <> mine.number
WHERE mine.id > %s AND mine.id <= %s AND mine.user_id IS NOT NULL"""

_SUMS = ", ".join(f"SUM(CASE result WHEN '{r}' THEN 1 ELSE 0 END)" for r in ("win", "loss", "draw"))
RECORDS = f"""INSERT INTO games_record (user_id, opponent_id, win, loss, draw)
SELECT user_id, opponent_id, {_SUMS} FROM games_meeting WHERE opponent_id IS NOT NULL
GROUP BY user_id, opponent_id"""
ALL_RECORDS = f"""INSERT INTO games_record (user_id, win, loss, draw)
SELECT user_id, {_SUMS} FROM games_seat WHERE user_id IS NOT NULL GROUP BY user_id"""


def fill(matches: int) -> None:
    """A site that has seen so many matches, with up-to-date statistics of its tables."""
    from django.db import connection
    from tqdm import tqdm

    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:  # it is thrown away: speed is all
            cursor.execute("PRAGMA synchronous=OFF")
            cursor.execute("PRAGMA journal_mode=OFF")
            cursor.execute("PRAGMA temp_store=MEMORY")
            cursor.execute("PRAGMA cache_size=-1000000")
    words: dict[str, Any] = DIALECT[connection.vendor] | {
        "mode": MODE,
        "name": NAME.format(id="i"),
        "who_name": NAME.format(id="who"),
        "house": "(i %% 5 = 0 AND i %% 40 <> 20)",
        "players": PLAYERS,
        "others": PLAYERS - 10,
    }

    def run(sql: str, low: int, high: int, numbers: bool = True) -> None:
        with connection.cursor() as cursor:
            text = NUMBERS * numbers + sql.format(**words)
            cursor.execute(text, [low, high])

    from accounts.models import RatingChange
    from games.models import Match, Meeting, Seat

    indexes = [(m, i) for m in (Match, Seat, Meeting, RatingChange) for i in m._meta.indexes]
    with connection.schema_editor() as editor:
        for model, index in indexes:
            editor.remove_index(model, index)
    run(USERS, 1, PLAYERS + GUESTS)
    run(RATINGS, 1, PLAYERS)
    with tqdm(total=matches, unit="match", unit_scale=True, disable=None) as bar:
        for low in range(0, matches, BATCH):
            high = min(low + BATCH, matches)
            run(MATCH_ROWS, low, high - 1)
            run(SEATS, low, high - 1)
            run(CHANGES, low * 2, high * 2, numbers=False)
            run(MEETINGS, low * 2, high * 2, numbers=False)
            bar.update(high - low)
    with connection.cursor() as cursor:
        cursor.execute(RECORDS)
        cursor.execute(ALL_RECORDS)
    for model, index in tqdm(indexes, unit="index", disable=None):
        with connection.schema_editor() as editor:
            editor.add_index(model, index)
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA journal_mode=WAL")  # again as the site has it
            cursor.execute("PRAGMA cache_size=-2000")
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")
