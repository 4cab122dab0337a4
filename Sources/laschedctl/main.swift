print("laschedctl")
