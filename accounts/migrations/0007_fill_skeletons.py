import re

from django.db import migrations

BATCH = 2000


def skeleton(name):
    """As accounts.validators had it when this was written: a migration does not change."""
    plain = re.sub(r"[-_]", "", name.lower()).replace("rn", "m").replace("vv", "w")
    return plain.translate(str.maketrans("01i5", "olls"))


def fill(apps, schema_editor):
    """The oldest of those that look alike keeps the name to itself; the others keep theirs, too."""
    users = apps.get_model("accounts", "User").objects
    seen, batch = set(), []
    for user in users.order_by("pk").only("pk", "username").iterator(BATCH):
        user.skeleton = skeleton(user.username)
        if user.skeleton in seen:
            continue
        seen.add(user.skeleton)
        batch.append(user)
        if len(batch) == BATCH:
            users.bulk_update(batch, ["skeleton"])
            batch = []
    users.bulk_update(batch, ["skeleton"])


class Migration(migrations.Migration):
    dependencies = [("accounts", "0006_skeleton")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
