// A process of its own that asks an installation, whose API's address it is started with, whether it lives, one request
// after the other until it is told to end: what the test itself does meanwhile is not counted in.
export interface Watched {
  /** the longest that an answer took, in milliseconds; not finite where one was missing */
  slowest: number
  asked: number
}

const url = `${process.argv[2]}/health/live`
const watched: Watched = { slowest: 0, asked: 0 }
let isOver = false
process.once('message', () => (isOver = true))

const askOnce = async (): Promise<boolean> => {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) }).catch(() => null)
  await response?.arrayBuffer()
  return response?.ok === true
}

// The first opens the connection and loads what asks.
await askOnce()
process.send!('begun')
while (!isOver) {
  const begun = performance.now()
  const isAlive = await askOnce()
  watched.slowest = Math.max(watched.slowest, isAlive ? performance.now() - begun : Number.POSITIVE_INFINITY)
  watched.asked += 1
}
process.send!(watched)
