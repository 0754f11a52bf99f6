LargeFile.run()
