from django.db import migrations

FILL = """
UPDATE accounts_rating SET board = (
    SELECT CASE WHEN is_active THEN kind ELSE '' END FROM accounts_user
    WHERE accounts_user.id = accounts_rating.user_id
)
"""


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_rating_board")]

    operations = [migrations.RunSQL(FILL, migrations.RunSQL.noop)]
