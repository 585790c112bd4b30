"""`manage.py doctor`: checks a deployment, and says in plain words what is wrong and what to do.

Each module looks at one part and returns findings; none of them changes anything.
"""
