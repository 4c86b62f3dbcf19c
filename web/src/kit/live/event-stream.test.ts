import { expect, test } from 'vitest'
import { eventsOf } from './event-stream.ts'

const heard = async (...parts: string[]) => {
  const bytes = new TextEncoder().encode(parts.join(''))
  const cuts = parts.map((_part, index) => new TextEncoder().encode(parts.slice(0, index + 1).join('')).length)
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      cuts.forEach((end, index) => controller.enqueue(bytes.slice(cuts[index - 1] ?? 0, end)))
      controller.close()
    },
  })
  const events = []
  for await (const event of eventsOf(stream)) events.push(event)
  return events
}

test('events come one by one, wherever the network cuts them', async () => {
  const changed = { name: 'changed', data: { kind: 'order', ids: [1, 2] } }
  expect(
    await heard('event: ready\ndata: {}\n\nevent: chan', 'ged\ndata: {"kind":"order",', '"ids":[1,2]}\n', '\n'),
  ).toEqual([{ name: 'ready', data: {} }, changed])
})

test('heartbeats and an event that was cut off are no events', async () => {
  expect(await heard(': beat\n\n: beat\n\nevent: missed\ndata: {}\n\n', 'event: changed\ndata: {"ki')).toEqual([
    { name: 'missed', data: {} },
  ])
})

test('whatever comes says that the server lives', async () => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of ['event: ready\ndata: {}\n\n', ': beat\n\n', ': be']) controller.enqueue(bytes(part))
      controller.close()
    },
  })
  let count = 0
  for await (const { name } of eventsOf(stream, () => (count += 1))) expect(name).toBe('ready')
  expect(count).toBe(3)
})
