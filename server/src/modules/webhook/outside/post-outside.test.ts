import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { HOST, KEYS, openReceiver, type Receiver } from '../../../../test/webhooks/receiver.ts'
import { netsOf } from './address.rules.ts'
import { openNameServer } from '../../../../test/webhooks/name-server.ts'
import { askNames, postOutside } from './post-outside.ts'

let receiver: Receiver
let asked: string[]
/** What a name means, one answer after the other; the last one stays. */
let names: Record<string, string[][]>

const resolve = async (host: string) => {
  asked.push(host)
  const answers = names[host]
  if (!answers) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
  return answers.length > 1 ? answers.shift()! : answers[0]!
}
const way: Parameters<typeof postOutside>[0] = { nets: netsOf(['127.0.0.1/32']), resolve, ca: KEYS.certificate }
const post = (url = receiver.url, one: Partial<typeof way> = {}) =>
  postOutside({ ...way, ...one }, { url, headers: { 'Content-Type': 'application/json' }, body: '{"type":"test"}' })

beforeAll(async () => {
  receiver = await openReceiver()
})
afterAll(() => receiver.close())
beforeEach(() => {
  receiver.got.length = 0
  receiver.answer = (reply) => void reply.writeHead(204).end()
  asked = []
  names = { [HOST]: [['127.0.0.1']] }
})

describe('a message outside is refused', () => {
  it('where the name leads into a network, even by one of its addresses', async () => {
    for (const inside of ['127.0.0.2', '10.0.0.5', '169.254.169.254', '::1', 'fd00::5', '::ffff:127.0.0.2']) {
      names[HOST] = [[inside]]
      expect(await post(), inside).toEqual({ status: null, fault: 'inside' })
      names[HOST] = [['127.0.0.1', inside]]
      expect(await post(), `beside ${inside}`).toEqual({ status: null, fault: 'inside' })
    }
    expect(receiver.got).toEqual([])
  })

  it('where nothing is opened by the settings', async () => {
    expect(await post(receiver.url, { nets: netsOf([]) })).toEqual({ status: null, fault: 'inside' })
    expect(await post(`https://127.0.0.1:${receiver.port}/`, { nets: netsOf([]) })).toEqual({
      status: null,
      fault: 'inside',
    })
    expect(receiver.got).toEqual([])
  })

  it('where the address is none for a webhook, whatever is stored', async () => {
    for (const url of ['http://receiver.example/', 'https://receiver.example:22/', 'https://a:b@receiver.example/'])
      expect(await post(url), url).toEqual({ status: null, fault: 'inside' })
    expect(asked).toEqual([])
  })

  it('where nobody knows the name', async () => {
    expect(await post('https://nobody.example/')).toEqual({ status: null, fault: 'name' })
    names['empty.example'] = [[]]
    expect(await post('https://empty.example/')).toEqual({ status: null, fault: 'name' })
  })

  it('by a certificate of somebody else, or one that nobody vouches for', async () => {
    names['other.example'] = [['127.0.0.1']]
    expect(await post(`https://other.example:${receiver.port}/`)).toEqual({ status: null, fault: 'certificate' })
    const untrusted = postOutside({ nets: way.nets, resolve }, { url: receiver.url, headers: {}, body: '{}' })
    expect(await untrusted).toEqual({ status: null, fault: 'certificate' })
    expect(receiver.got).toEqual([])
  })
})

describe('the name servers', () => {
  it('are asked once for each family, and one inside among their answers is enough to refuse', async () => {
    const server = await openNameServer()
    const ask = (host: string, signal: AbortSignal) => askNames(host, signal, [server.address])
    server.names[HOST] = ['127.0.0.1']
    expect(await post(receiver.url, { resolve: ask })).toEqual({ status: 204, fault: null })
    expect(server.asked.toSorted()).toEqual([`A ${HOST}`, `AAAA ${HOST}`])
    // The last two are fd00::5, and 64:ff9b:: with 10.0.0.5 in it.
    for (const inside of ['10.0.0.5', 'fd000000000000000000000000000005', '0064ff9b00000000000000000a000005']) {
      server.names[HOST] = ['127.0.0.1', inside]
      expect(await post(receiver.url, { resolve: ask }), inside).toEqual({ status: null, fault: 'inside' })
    }
    expect(await post('https://nobody.example/', { resolve: ask })).toEqual({ status: null, fault: 'name' })
    server.close()
  })

  it('that do not answer are given up with the message', async () => {
    const answers = askNames(HOST, AbortSignal.timeout(200), ['127.0.0.1:9'])
    expect(await answers).toEqual([])
  })
})

describe('a message outside', () => {
  it('goes to the address that was checked, although the name means another one by now', async () => {
    names[HOST] = [['127.0.0.1'], ['10.0.0.5']]
    expect(await post()).toEqual({ status: 204, fault: null })
    expect(asked).toEqual([HOST])
    expect(receiver.got).toMatchObject([{ text: '{"type":"test"}', headers: { host: `${HOST}:${receiver.port}` } }])
    // And the next one is checked anew.
    expect(await post()).toEqual({ status: null, fault: 'inside' })
  })

  it('follows no redirect, and says so', async () => {
    const second = await openReceiver()
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.answer = (reply) => void reply.writeHead(status, { Location: second.url }).end()
      expect(await post(), String(status)).toEqual({ status, fault: 'redirect' })
    }
    expect(second.got).toEqual([])
    await second.close()
  })

  it('has failed with every other status than 2xx', async () => {
    for (const [status, fault] of [
      [200, null],
      [202, null],
      [400, 'status'],
      [410, 'status'],
      [500, 'status'],
    ] as const) {
      receiver.answer = (reply) => void reply.writeHead(status).end('thank you')
      expect(await post()).toEqual({ status, fault })
    }
  })

  it('has failed where nobody listens', async () => {
    const gone = await openReceiver()
    await gone.close()
    expect(await post(gone.url)).toEqual({ status: null, fault: 'connection' })
    receiver.answer = (reply) => void reply.socket!.destroy()
    expect(await post()).toEqual({ status: null, fault: 'connection' })
  })

  it('waits five seconds for an answer, also for one that drips and for a name', {
    tags: 'long',
    timeout: 20_000,
  }, async () => {
    const took = async (work: Promise<unknown>) => {
      const began = performance.now()
      return [await work, Math.round((performance.now() - began) / 1000)]
    }
    receiver.answer = null
    const isNeverAnswered = took(post())
    const isNeverKnown = took(post(receiver.url, { resolve: () => new Promise(() => undefined) }))
    expect(await isNeverAnswered).toEqual([{ status: null, fault: 'timeout' }, 5])
    expect(await isNeverKnown).toEqual([{ status: null, fault: 'timeout' }, 5])
    receiver.answer = (reply) => {
      reply.writeHead(200)
      const drip = setInterval(() => reply.write('x'), 100)
      reply.on('close', () => clearInterval(drip))
    }
    // What it said first counts, and its words are not waited for longer.
    expect(await took(post())).toEqual([{ status: 200, fault: null }, 5])
  })

  it('reads 64 kB of the answer and no more', async () => {
    let sent = 0
    const isClosed = new Promise<void>((closed) => {
      receiver.answer = (reply) => {
        reply.writeHead(200)
        const push = () => {
          while (!reply.destroyed) {
            sent += 16_384
            if (!reply.write(Buffer.alloc(16_384))) break
          }
        }
        reply.on('drain', push)
        reply.on('close', () => closed())
        push()
      }
    })
    expect(await post()).toEqual({ status: 200, fault: null })
    await isClosed
    expect(sent).toBeLessThan(50 * 1024 * 1024)
  })
})
