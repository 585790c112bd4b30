from django.db import migrations


class Migration(migrations.Migration):
    """The models of moderation leave this app. Their tables stay: the app `moderation` takes them
    over as they are."""

    dependencies = [
        ('games', '0006_gone_skill'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel(name='DeviceSeen'),
                migrations.DeleteModel(name='Report'),
                migrations.DeleteModel(name='Sanction'),
                migrations.DeleteModel(name='StaffAct'),
            ],
        ),
    ]
