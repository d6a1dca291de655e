// Loaded into the server before itself: each SIGUSR2 sets its clock a minute ahead.
const now = Date.now
let minutes = 0

Date.now = () => now() + minutes * 60_000
process.on("SIGUSR2", () => {
  minutes++
  process.stderr.write(`minute ${minutes}\n`)
})
