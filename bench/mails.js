// `npm run bench -- mails [--mails 4000]`
// How fast queued mails leave, to the same SMTP conversations without a queue, whether they leave in the order of their
// time, whether many take more memory than few, and whether requests wait for them. The mail server is a real one on
// the loopback, in a process of its own. Prints the tables of README.md.
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { SMTPServer } from 'smtp-server'
import { createMailer } from '../server/src/kit/mail/mailer.ts'
import { copyOf, demoFolder, freePort, runMeasurement, signIn, startPostgres, startWaybill } from './installation.js'
import { machine, peakMemoryMb, postgresVersion } from './machine.js'
import { figure, median, say, table } from './report.js'

const { Client } = createRequire(new URL('../server/package.json', import.meta.url))('pg')

/** Asks this file to be the mail server. */
const SERVES = 'serves'
/** As many as the product has in hand at once. */
const LANES = 2
/** Few are half of many: in its first two minutes at work the heap of any server grows to what it keeps. */
const FEW_SHARE = 2
/** Beyond what few take, as server/test/long/mails.test.ts allows. */
const MORE_MB = 50
/** Two are in hand at once, and one may be held up while the other takes a few turns: as that test allows. */
const MOST_OUT_OF_TURN = 25
/** So that neither ids nor the order in which they were queued is that of their times; a prime. */
const SCATTER = 7919
/** Between two requests beside the mails. */
const LOOK_MS = 200
const WARM = 50
const FROM = 'Waybill <office@waybill.example>'
const HOST = 'bench.example'
const LONGEST_WAIT_MS = 60_000
/** How long the same requests are made once all have left. */
const QUIET_MS = 10_000
const BODY = '<p>Your truck is on the way.</p>'.repeat(50)

/** How many turns a mail came before or after its own: its reader's address ends in that. */
const outOfTurn = (addresses) =>
  Math.max(0, ...addresses.map((address, index) => Math.abs(Number(/(\d+)@/.exec(address)[1]) - index)))

/**
 * Takes every mail, and counts those of the run by their reader: how many, how often twice, how far out of turn, from
 * when to when.
 */
function serveMails() {
  let arrived = new Map()
  let first = Number.NaN
  let last = Number.NaN
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      stream.resume()
      stream.once('end', () => {
        const address = session.envelope.rcptTo[0].address
        if (address.endsWith(`@${HOST}`)) {
          arrived.set(address, (arrived.get(address) ?? 0) + 1)
          last = performance.now()
          if (arrived.size === 1) first = last
        }
        done()
      })
    },
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1', () => process.send(server.server.address().port))
  process.on('message', (wish) => {
    if (wish === 'forget') arrived = new Map()
    const twice = [...arrived.values()].filter((count) => count > 1).length
    const turns = wish === 'whole' ? outOfTurn([...arrived.keys()]) : null
    process.send({ count: arrived.size, twice, turns, seconds: (last - first) / 1000 })
  })
}

async function openSink() {
  const child = fork(import.meta.filename, [SERVES])
  const [port] = await once(child, 'message')
  const ask = async (wish) => {
    child.send(wish)
    return (await once(child, 'message'))[0]
  }
  return {
    smtpUrl: `smtp://127.0.0.1:${port}`,
    forget: () => ask('forget'),
    read: () => ask('read'),
    readWhole: () => ask('whole'),
    close: () => child.kill(),
  }
}

/** Mails a second: between the first and the last there is one fewer. */
const rateOf = ({ count, seconds }) => (count - 1) / seconds

/** The same mails from a loop, as many at once as the product has in hand. */
async function sendAlone(sink, count) {
  const mailer = createMailer({ smtpUrl: sink.smtpUrl, from: FROM })
  let next = 0
  const lane = async (until) => {
    for (let turn = next++; turn < until; turn = next++)
      await mailer.send({
        to: [`alone${turn}@${HOST}`],
        cc: [],
        subject: `Alone ${turn}`,
        html: BODY,
        text: BODY,
        attachments: [],
        messageId: `<${randomUUID()}@${HOST}>`,
      })
  }
  const send = (until) => Promise.all(Array.from({ length: LANES }, () => lane(until)))
  await send(WARM)
  next = 0
  await sink.forget()
  await send(count)
  return sink.read()
}

/** Queues mails as copies of one of the demo's, due in the hour before. */
async function queueMails(url, label, count) {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rowCount } = await client.query(
    `insert into email overriding system value
     select mail.* from generate_series(1, $1::int) turn, email as first,
       jsonb_populate_record(first, jsonb_build_object(
         'id', nextval(pg_get_serial_sequence('email', 'id')),
         'messageId', format('<%s-%s@%s>', $2::text, turn, $3::text),
         'causeKey', null, 'status', 'queued', 'reason', null, 'tries', 0, 'sentAt', null, 'waitsFor', null,
         'subject', format('%s %s', $2::text, turn), 'html', $4::text, 'cc', jsonb_build_array(),
         'to', jsonb_build_array(format('%s%s@%s', $2::text, turn * ${SCATTER} % $1, $3::text)),
         'notBefore', now() - interval '1 hour' + turn * ${SCATTER} % $1 * interval '0.1 s')) as mail
     where first.id = (select min(id) from email where "ownerKind" = 'order' and status = 'sent')`,
    [count, label, HOST, BODY],
  )
  await client.end()
  if (rowCount !== count) throw new Error(`${rowCount} mails were queued instead of ${count}`)
}

/** Asks for the list of mails again and again; `end` gives how long each answer took, ms. */
function lookMeanwhile(url, token) {
  const times = []
  let isOver = false
  const looking = (async () => {
    while (!isOver) {
      const began = performance.now()
      const response = await fetch(`${url}/api/emails?perPage=25`, { headers: { authorization: `Bearer ${token}` } })
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`the list of mails: ${response.status}`)
      times.push(performance.now() - began)
      await wait(LOOK_MS)
    }
  })()
  return {
    async end() {
      isOver = true
      await looking
      return times
    },
  }
}

const p95 = (times) => times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)]

/** Waits until so many have arrived, as long as more come. */
async function untilArrived(sink, count) {
  let before = -1
  let movedAt = performance.now()
  for (;;) {
    const seen = await sink.read()
    if (seen.count >= count) return
    if (seen.count !== before) movedAt = performance.now()
    before = seen.count
    if (performance.now() - movedAt > LONGEST_WAIT_MS) throw new Error(`${seen.count} of ${count} mails arrived`)
    await wait(250)
  }
}

/** Of a product that is started over so many mails: what the mail server saw, and the most memory of its process. */
async function sendQueued(settings, sink, label, count) {
  await queueMails(settings.ownerUrl, label, count)
  await sink.forget()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = await startWaybill({
    ...settings,
    port,
    settings: { SMTP_URL: sink.smtpUrl, MAIL_FROM: FROM },
  })
  const token = await signIn(url)
  const beside = lookMeanwhile(url, token)
  await untilArrived(sink, count)
  const busy = await beside.end()
  // What would arrive twice has the time to.
  await wait(2000)
  const seen = await sink.readWhole()
  const peakMb = peakMemoryMb(server.pid)
  const after = lookMeanwhile(url, token)
  await wait(QUIET_MS)
  const quiet = await after.end()
  await server.stop()
  return { ...seen, peakMb, busy, quiet }
}

async function main() {
  const { values: options } = parseArgs({ options: { mails: { type: 'string', default: '4000' } } })
  const many = Number(options.mails)
  const few = Math.max(WARM, Math.round(many / FEW_SHARE))
  const folder = copyOf(await demoFolder())
  const postgres = await startPostgres(folder)
  const settings = { folder, databaseUrl: postgres.url, ownerUrl: postgres.ownerUrl }
  const sink = await openSink()
  try {
    const alone = await sendAlone(sink, many)
    const ofFew = await sendQueued(settings, sink, 'few', few)
    const ofMany = await sendQueued(settings, sink, 'many', many)

    say(`${machine()}, PostgreSQL ${await postgresVersion(postgres.url)}; ${LANES} mails at once\n`)
    say(
      table(
        ['mails', 'number', 'a second', 'to the same alone', 'at most, MB', 'MB to few', 'turns late or early'],
        [
          ['without a queue', String(alone.count), figure(rateOf(alone), 1), figure(1, 2), '', '', ''],
          ...[
            ['queued, few', ofFew],
            ['queued, many', ofMany],
          ].map(([name, seen]) => [
            name,
            String(seen.count),
            figure(rateOf(seen), 1),
            figure(rateOf(seen) / rateOf(alone), 2),
            figure(seen.peakMb),
            figure(seen.peakMb / ofFew.peakMb, 2),
            String(seen.turns),
          ]),
        ],
      ),
    )
    say(`\nThe list of mails, asked for every ${LOOK_MS} ms.\n`)
    say(
      table(
        ['while they leave', 'p50, ms', 'p95, ms', 'p50 to none', 'p95 to none'],
        [
          ['queued, few', ofFew],
          ['queued, many', ofMany],
        ].map(([name, { busy, quiet }]) => [
          name,
          figure(median(busy), 1),
          figure(p95(busy), 1),
          figure(median(busy) / median(quiet), 2),
          figure(p95(busy) / p95(quiet), 2),
        ]),
      ),
    )
    const isOnce = [ofFew, ofMany].every(({ twice }) => twice === 0)
    if (!isOnce) say('\nSome arrived twice.')
    const isBounded = ofMany.peakMb <= ofFew.peakMb + MORE_MB
    if (!isBounded) say(`\nMany took more than ${MORE_MB} MB beyond few.`)
    const isInTurn = [ofFew, ofMany].every(({ turns }) => turns < MOST_OUT_OF_TURN)
    if (!isInTurn) say(`\nSome left ${MOST_OUT_OF_TURN} turns or more before or after their own.`)
    process.exitCode = isOnce && isBounded && isInTurn ? 0 : 1
  } finally {
    sink.close()
  }
}

if (process.argv[2] === SERVES) serveMails()
else await runMeasurement(main)
