import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


MODELS = ['deviceseen', 'report', 'sanction', 'staffact']


def relabel(apps, schema_editor, old, new):
    """Content types carry permissions and the admin's history: they change their app, so that
    both stay with whoever has them."""
    types = apps.get_model('contenttypes', 'ContentType').objects.using(schema_editor.connection.alias)
    for model in MODELS:
        if types.filter(app_label=old, model=model).exists():
            # There are new ones already when somebody migrated the apps one by one.
            types.filter(app_label=new, model=model).delete()
            types.filter(app_label=old, model=model).update(app_label=new)


def take_over(apps, schema_editor):
    relabel(apps, schema_editor, 'games', 'moderation')


def give_back(apps, schema_editor):
    relabel(apps, schema_editor, 'moderation', 'games')


class Migration(migrations.Migration):
    """Takes over the models that the app `games` made, with their tables and their rows."""

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
        ('contenttypes', '0002_remove_content_type_name'),
        ('games', '0007_moderation_leaves'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name='StaffAct',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('by_name', models.CharField(max_length=40, verbose_name='name then')),
                        ('act', models.CharField(db_index=True, max_length=20, verbose_name='act')),
                        ('target', models.CharField(blank=True, db_index=True, max_length=60, verbose_name='target')),
                        ('why', models.CharField(blank=True, max_length=500, verbose_name='why')),
                        ('detail', models.JSONField(blank=True, default=dict, verbose_name='detail')),
                        ('at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, verbose_name='at')),
                        ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by')),
                    ],
                    options={
                        'verbose_name': 'act of staff',
                        'verbose_name_plural': 'acts of staff',
                        'db_table': 'games_staffact',
                        'ordering': ['-at', '-id'],
                        'permissions': [('look', 'See the dashboard, matches with the full view, logs, shared devices'), ('kick', "Close a player's connections"), ('mute', 'Mute players'), ('ban', 'Ban players'), ('abort', 'Abort matches'), ('announce', 'Announce to everybody'), ('queues', 'Close and open the queues')],
                        'default_permissions': ('view',),
                    },
                ),
                migrations.CreateModel(
                    name='DeviceSeen',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('device_hash', models.CharField(db_index=True, max_length=64, verbose_name='device')),
                        ('first_seen', models.DateTimeField(default=django.utils.timezone.now, verbose_name='first seen')),
                        ('last_seen', models.DateTimeField(default=django.utils.timezone.now, verbose_name='last seen')),
                        ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='devices', to=settings.AUTH_USER_MODEL, verbose_name='user')),
                    ],
                    options={
                        'verbose_name': 'device',
                        'verbose_name_plural': 'devices',
                        'db_table': 'games_deviceseen',
                        'constraints': [models.UniqueConstraint(fields=('user', 'device_hash'), name='games_device_once')],
                    },
                ),
                migrations.CreateModel(
                    name='Report',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('reason', models.CharField(choices=[('cheating', 'cheating'), ('name', 'an offensive name'), ('stalling', 'stalling or leaving on purpose'), ('other', 'something else')], max_length=12, verbose_name='reason')),
                        ('text', models.CharField(blank=True, max_length=1000, verbose_name='what happened')),
                        ('created_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='made')),
                        ('status', models.CharField(choices=[('open', 'open'), ('closed', 'closed')], default='open', max_length=8, verbose_name='status')),
                        ('match', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to='games.match', verbose_name='match')),
                        ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reports', to=settings.AUTH_USER_MODEL, verbose_name='player')),
                        ('reporter', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='reports_made', to=settings.AUTH_USER_MODEL, verbose_name='reporter')),
                    ],
                    options={
                        'verbose_name': 'report',
                        'verbose_name_plural': 'reports',
                        'db_table': 'games_report',
                        'ordering': ['-created_at'],
                        'indexes': [models.Index(fields=['status', '-created_at'], name='games_report_open')],
                    },
                ),
                migrations.CreateModel(
                    name='Sanction',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(choices=[('mute', 'mute: may not challenge or invite'), ('ban', 'ban: may not be here')], max_length=8, verbose_name='kind')),
                        ('reason', models.CharField(max_length=300, verbose_name='reason')),
                        ('created_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='given')),
                        ('until', models.DateTimeField(blank=True, null=True, verbose_name='until')),
                        ('lifted_at', models.DateTimeField(blank=True, null=True, verbose_name='lifted')),
                        ('shut_out', models.BooleanField(default=False, verbose_name='the account was active before')),
                        ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='given by')),
                        ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sanctions', to=settings.AUTH_USER_MODEL, verbose_name='user')),
                    ],
                    options={
                        'verbose_name': 'sanction',
                        'verbose_name_plural': 'sanctions',
                        'db_table': 'games_sanction',
                        'ordering': ['-created_at'],
                        'indexes': [models.Index(fields=['user', 'kind', 'until'], name='games_sanction_of_user')],
                    },
                ),
            ],
        ),
        migrations.RunPython(take_over, give_back),
    ]
