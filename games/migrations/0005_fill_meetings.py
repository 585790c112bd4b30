from django.db import migrations

# In a migration of its own: PostgreSQL changes no table whose new rows are not checked yet.
FILL = """
INSERT INTO games_meeting (seat_id, user_id, opponent_id, name, mode, result, ended_at)
SELECT mine.id, mine.user_id, other.user_id, LOWER(other.name), mine.mode, mine.result,
       mine.ended_at
FROM games_seat mine
JOIN games_seat other ON other.match_id = mine.match_id AND other.number <> mine.number
WHERE mine.user_id IS NOT NULL AND mine.ended_at IS NOT NULL
"""
COUNT = """
INSERT INTO games_record (user_id, win, loss, draw)
SELECT user_id, SUM(CASE result WHEN 'win' THEN 1 ELSE 0 END),
       SUM(CASE result WHEN 'loss' THEN 1 ELSE 0 END),
       SUM(CASE result WHEN 'draw' THEN 1 ELSE 0 END)
FROM games_seat WHERE user_id IS NOT NULL AND ended_at IS NOT NULL GROUP BY user_id
"""
COUNT_PAIRS = """
INSERT INTO games_record (user_id, opponent_id, win, loss, draw)
SELECT user_id, opponent_id, SUM(CASE result WHEN 'win' THEN 1 ELSE 0 END),
       SUM(CASE result WHEN 'loss' THEN 1 ELSE 0 END),
       SUM(CASE result WHEN 'draw' THEN 1 ELSE 0 END)
FROM games_meeting WHERE opponent_id IS NOT NULL GROUP BY user_id, opponent_id
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0004_meeting")]

    operations = [
        migrations.RunSQL(FILL, "DELETE FROM games_meeting"),
        migrations.RunSQL(COUNT, "DELETE FROM games_record"),
        migrations.RunSQL(COUNT_PAIRS, migrations.RunSQL.noop),
    ]
