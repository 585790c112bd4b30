from django.contrib.admin.apps import AdminConfig


class StaffAdminConfig(AdminConfig):
    """The admin with the dashboard as its first page."""

    default_site = "lobby.admin.site.StaffSite"
