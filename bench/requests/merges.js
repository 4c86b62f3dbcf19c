// How long a merge takes beside a create: each merge uses its orders up, so there is nothing that
// the bare server could do again.
import { figure } from '../report.js'

const PAIRS = 160

async function timed(clients, jobs, ask) {
  const latencies = []
  const answers = []
  const queue = jobs.map((job, place) => ({ job, place }))
  const begun = performance.now()
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const at = performance.now()
        answers[next.place] = await ask(next.job)
        latencies.push(performance.now() - at)
      }
    }),
  )
  latencies.sort((a, b) => a - b)
  return {
    answers,
    perSecond: (jobs.length / (performance.now() - begun)) * 1000,
    p50: latencies[Math.floor(latencies.length / 2)],
    p99: latencies[Math.floor(latencies.length * 0.99)],
  }
}

/**
 * The line of the tables: pairs of new orders are made and merged by as many clients. `create` is the request of one
 * order, `port` the product's.
 */
export async function measureMerges({ port, clients, create: { headers, body }, processor }) {
  const { routes, ...order } = JSON.parse(body)
  const post = async (path, sent) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': `bench-${crypto.randomUUID()}` },
      body: JSON.stringify(sent),
    })
    const got = await answer.json()
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(got)}`)
    return got
  }
  const made = await timed(
    clients,
    Array.from({ length: PAIRS * 2 }, () => order),
    (one) => post('orders', one),
  )
  const pairs = Array.from({ length: PAIRS }, (_, pair) => ({
    orderIds: made.answers.slice(pair * 2, pair * 2 + 2).map(({ id }) => id),
    carrierCompanyId: routes[0].assignment.carrierCompanyId,
  }))
  const before = processor()
  const merged = await timed(clients, pairs, (pair) => post('orders/merge', pair))
  const perMerge = (processor() - before) / PAIRS
  const times = `p50 ${figure(merged.p50, 1)} ms, p99 ${figure(merged.p99, 1)} ms`
  const cost = `${figure(perMerge, 2)} ms of processor`
  const ratio = `its p50 to that of a create in the same run ${figure(merged.p50 / made.p50, 2)}`
  return `Merge of two orders, ${clients} clients: ${figure(merged.perSecond)} a second, ${times}, ${cost}; ${ratio}`
}
