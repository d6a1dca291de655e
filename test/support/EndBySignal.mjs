// Loaded into the server before itself: SIGUSR2 ends it as a fault of its own code would.
process.on("SIGUSR2", () => {
  setTimeout(() => {
    if (process.env.TEST_END === "exit") process.exit(3)
    throw new Error("a fault")
  }, 1)
})
