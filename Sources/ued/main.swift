import TextBuffer

print("ued")
