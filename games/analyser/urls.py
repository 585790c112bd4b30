from __future__ import annotations

from django.urls import path

from games.analyser import views

app_name = "analyser"
urlpatterns = [
    path("", views.analyse, name="analyse"),
]
