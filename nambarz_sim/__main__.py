"""`python -m nambarz_sim`, where the command `nambarz` is not on the path."""

from nambarz_sim.cli import main

if __name__ == "__main__":
    main()
