/** One server-sent event: its name, and its data as JSON. */
export interface StreamEvent {
  name: string
  data: unknown
}

/**
 * The events of a stream, one by one; heartbeats are passed over. Ends with the stream. `heard` is called whenever
 * anything came, a heartbeat too.
 */
export async function* eventsOf(stream: ReadableStream<Uint8Array>, heard?: () => void): AsyncGenerator<StreamEvent> {
  const reader = stream
    .pipeThrough(new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>)
    .getReader()
  let text = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    heard?.()
    text += value
    const blocks = text.split('\n\n')
    text = blocks.pop()!
    for (const block of blocks) {
      const name = /^event: (.*)$/m.exec(block)?.[1]
      const data = /^data: (.*)$/m.exec(block)?.[1]
      if (name !== undefined) yield { name, data: data === undefined ? null : (JSON.parse(data) as unknown) }
    }
  }
}
