print("lasched")
