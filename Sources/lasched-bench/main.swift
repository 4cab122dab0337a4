print("lasched-bench")
