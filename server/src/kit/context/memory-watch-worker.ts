// Beside what is read, in a thread of its own: what a PDF unpacks lies outside of the heap, where no limit of Node's
// counts it, and the thread that unpacks has no time to look.
const MAX_BYTES = 700_000_000
const EVERY_MS = 50

setInterval(() => {
  if (process.memoryUsage.rss() > MAX_BYTES) process.kill(process.pid, 'SIGKILL')
}, EVERY_MS)
