from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0005_fill_meetings'),
    ]

    operations = [
        migrations.AddField(
            model_name='seat',
            name='gone_mu',
            field=models.FloatField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='seat',
            name='gone_sigma',
            field=models.FloatField(blank=True, editable=False, null=True),
        ),
    ]
