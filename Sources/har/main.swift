print("har")
