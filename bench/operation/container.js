// `npm run bench -- container`
// Builds the image by deploy/Dockerfile, starts deploy/compose.yaml with it and works through its proxy, then runs each
// `docker compose` line of docs/operations.md: back up, verify, restore into an empty place, look, change the key.
// Without a registry: what compose.yaml names beside ours is Debian’s (containers/images.js). Prints the table of
// README.md.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { installTools, whyNoMachines } from '../../scripts/debian-tools.js'
import { dataFolder, root, runMeasurement } from '../installation.js'
import { machine } from '../machine.js'
import { figure, percentile, say, table } from '../report.js'
import { openComposition } from './containers/composition.js'
import { buildImages } from './containers/images.js'

const TOOLS = [
  { program: 'buildah', paths: ['/usr/bin/buildah'], debian: 'buildah' },
  { program: 'mmdebstrap', paths: ['/usr/bin/mmdebstrap'], debian: 'mmdebstrap' },
  { program: 'crun', paths: ['/usr/bin/crun'], debian: 'crun' },
  { program: 'ip', paths: ['/usr/sbin/ip', '/sbin/ip'], debian: 'iproute2' },
]
const DOMAIN = 'waybill.localhost'
const NODES = ['waybill-1', 'waybill-2']
const PEOPLE = 8
const ANSWERED_WITHIN_MS = 30_000
const tell = (text) => process.stderr.write(`${text} …\n`)
const secret = () => randomBytes(16).toString('hex')

function expectThat(holds, what) {
  if (!holds) throw new Error(what)
}

/** Calls through the proxy, by its certificate; `json` is the answer, `bytes` a file. */
function callerOf(composition) {
  const authority = () => readFileSync(join(composition.volume('proxy'), 'caddy/pki/authorities/local/root.crt'))
  return (method, path, { token, body, form } = {}) =>
    new Promise((resolve, reject) => {
      const sent = form ?? (body && { type: 'application/json', bytes: Buffer.from(JSON.stringify(body)) })
      const call = request(
        {
          host: composition.address('proxy'),
          servername: DOMAIN,
          ca: authority(),
          method,
          path: `/api/${path}`,
          agent: false,
          timeout: 30_000,
          headers: {
            host: DOMAIN,
            ...(sent && { 'content-type': sent.type, 'content-length': sent.bytes.length }),
            ...(token && { authorization: `Bearer ${token}` }),
          },
        },
        (answer) => {
          const parts = []
          answer.on('data', (part) => parts.push(part))
          answer.on('error', reject)
          answer.on('end', () => {
            const bytes = Buffer.concat(parts)
            const isJson = /json/.test(answer.headers['content-type'] ?? '')
            resolve({ status: answer.statusCode, bytes, json: isJson ? JSON.parse(bytes) : null })
          })
        },
      )
      call.on('error', reject)
      call.on('timeout', () => call.destroy(new Error('no answer in 30 s')))
      call.end(sent?.bytes)
    })
}

/** A file with its fields as a browser sends them. */
function formWith(fields, { name, bytes }) {
  const limit = secret()
  const part = (head) => `--${limit}\r\ncontent-disposition: form-data; ${head}\r\n`
  return {
    type: `multipart/form-data; boundary=${limit}`,
    bytes: Buffer.concat([
      ...Object.entries(fields).map(([field, value]) => Buffer.from(`${part(`name="${field}"`)}\r\n${value}\r\n`)),
      Buffer.from(`${part(`name="file"; filename="${name}"`)}content-type: application/pdf\r\n\r\n`),
      bytes,
      Buffer.from(`\r\n--${limit}--\r\n`),
    ]),
  }
}

/** The proxy asks every three seconds who is ready. */
async function untilAnswered(call) {
  const deadline = performance.now() + ANSWERED_WITHIN_MS
  for (;;) {
    const said = await call('GET', 'health/ready').then(
      ({ status, bytes }) => `${status} ${bytes}`,
      ({ message }) => message,
    )
    if (said.startsWith('200 ')) return
    expectThat(performance.now() < deadline, `the proxy does not lead to a Waybill: ${said}`)
    await wait(200)
  }
}

/** In the open a page is led to https, and a program is refused. */
async function expectNothingInTheOpen(composition) {
  const ask = (path) =>
    new Promise((resolve, reject) => {
      get({ host: composition.address('proxy'), path, headers: { host: DOMAIN }, agent: false }, (answer) => {
        answer.resume()
        resolve(`${answer.statusCode} ${answer.headers.location ?? ''}`)
      }).on('error', reject)
    })
  for (const [path, wanted] of [
    ['/orders/7/edit', `308 https://${DOMAIN}/orders/7/edit`],
    ['/api/orders', '403 '],
  ]) {
    const answer = await ask(path)
    expectThat(answer === wanted, `http://${DOMAIN}${path}: ${answer}`)
  }
}

/** What a person does first: signs in with the password of the log, and has an order with its consignment note. */
async function workOn(call, composition) {
  const [, email, password] = /Sign in as (\S+) with the password (\S+)/.exec(NODES.map(composition.said).join('\n'))
  const { json: session } = await call('POST', 'token', { body: { email, password } })
  const { token } = session
  const create = async (path, body) => {
    const { status, json } = await call('POST', path, { token, body })
    expectThat(status === 201, `${path}: ${status} ${JSON.stringify(json)}`)
    return json
  }
  const first = async (path) => (await call('GET', path, { token })).json.items[0]
  const germany = await first('countries?q=Germany')
  const department = await first('departments')
  const customer = await create('customers', { title: 'Hansa Bau GmbH', countryId: germany.id, city: 'Hamburg' })
  const carrier = await create('carrier-companies', { title: 'Trans Nord GmbH', countryId: germany.id, city: 'Kiel' })
  const stop = (kind, city, day, action) => ({
    kind,
    termin: { kind: 'fix', dateFrom: day, timeFrom: '08:00' },
    countryId: germany.id,
    city,
    cargoActions: [{ cargoKey: 'a', action }],
  })
  const order = await create('orders', {
    customerIds: [customer.id],
    departmentId: department.id,
    cargo: [{ key: 'a', title: 'Pallets', quantity: 12, weightKg: 4800 }],
    locations: [
      stop('loading', 'Hamburg', '2027-02-01', 'PICK_UP'),
      stop('unloading', 'Kiel', '2027-02-02', 'DROP_OFF'),
    ],
    routes: [{ assignment: { carrierCompanyId: carrier.id, plateNumber: 'KI TN 112', costCents: 60_000 } }],
  })
  const made = await create(`orders/${order.id}/documents`, { documentType: 'CMR_NOTE', version: order.version })
  const { bytes: note } = await call('GET', `documents/${made.items[0].id}/file`, { token })
  expectThat(note.subarray(0, 5).toString() === '%PDF-', 'the consignment note is no PDF')
  // Signed, it comes back.
  const { status, json: proof } = await call('POST', 'upload', {
    token,
    form: formWith({ documentType: 'PROOF_OF_DELIVERY', orderId: String(order.id) }, { name: 'CMR.pdf', bytes: note }),
  })
  expectThat(status === 201, `upload: ${status} ${JSON.stringify(proof)}`)
  return { email, password, token, orderId: order.id, note, proofId: proof.id }
}

/** All of it is there, for those who sign in anew. */
async function expectWork(call, { email, password, orderId, note, proofId }) {
  const { json } = await call('POST', 'token', { body: { email, password } })
  const { token } = json
  const order = await call('GET', `orders/${orderId}`, { token })
  expectThat(order.status === 200, `the order: ${order.status}`)
  const { bytes } = await call('GET', `documents/${proofId}/file`, { token })
  expectThat(bytes.equals(note), 'the file is another')
}

/** Nobody in the container can do what the files of deploy say that nobody can. */
async function expectLocked(composition) {
  const asked = String.raw`
    const { readFileSync, writeFileSync } = require('node:fs')
    const may = (path) => { try { writeFileSync(path, ''); return true } catch { return false } }
    const status = readFileSync('/proc/1/status', 'utf8')
    const of = (name) => new RegExp(name + ':\\s+(\\S+)').exec(status)[1]
    console.log(JSON.stringify({ user: Number(of('Uid')), rights: of('CapBnd'), mayGainNone: of('NoNewPrivs'),
      code: may('/opt/waybill/server/dist/main.js'), root: may('/x'), data: may('/data/x'), scratch: may('/tmp/x') }))`
  for (const name of NODES) {
    const { output } = await composition.exec(name, 'node', '-e', asked)
    const found = JSON.parse(output)
    const wanted = { user: 1000, rights: '0'.repeat(16), mayGainNone: '1', code: false, root: false, data: true }
    expectThat(JSON.stringify(found) === JSON.stringify({ ...wanted, scratch: true }), `${name}: ${output}`)
  }
}

/** Each Waybill is stopped and started anew, as in an upgrade, while people read. */
async function replaceBoth(call, composition, token) {
  const took = []
  const failed = []
  let isOver = false
  const person = async () => {
    while (!isOver) {
      const begun = performance.now()
      const { status } = await call('GET', 'orders', { token }).catch(({ message }) => ({ status: message }))
      took.push(performance.now() - begun)
      if (status !== 200) failed.push(status)
    }
  }
  const people = Array.from({ length: PEOPLE }, person)
  for (const name of NODES) {
    const killed = await composition.stop([name])
    expectThat(killed.length === 0, `${name} did not end by itself`)
    await composition.up([name])
  }
  isOver = true
  await Promise.all(people)
  expectThat(failed.length === 0, `${failed.length} of ${took.length} requests failed: ${failed[0]}`)
  return { requests: took.length, p99: percentile(took, 0.99), most: Math.max(...took) }
}

/** The lines of the guide that run something in a container, in their order there. */
const guideLines = () =>
  [
    ...readFileSync(join(root, 'docs/operations.md'), 'utf8').matchAll(
      /^docker compose -f deploy\/compose\.yaml (run --rm|exec)(?: --volume (\S+))? ([\w-]+)(.*)$/gm,
    ),
  ].map(([line, how, volume, service, words]) => ({
    line,
    isRun: how !== 'exec',
    volume,
    service,
    command: words.trim() === '' ? undefined : words.trim().split(' '),
  }))

/** Runs the guide's lines; answers how long each took, by its words. */
async function followGuide({ composition, values, folder, call, work }) {
  const newKey = randomBytes(32).toString('hex')
  writeFileSync(join(folder, 'new.key'), newKey)
  // What the guide says around a line, by the words that the line ends with.
  const before = {
    'scripts/restore.js /backups': async () => {
      await composition.down()
      for (const name of ['database', 'store']) composition.removeVolume(name)
    },
    'scripts/doctor.js': async () => {
      await composition.up()
      await untilAnswered(call)
    },
    'scripts/rotate-key.js --to /new.key': async () => {
      await expectWork(call, work)
      await composition.stop(NODES)
    },
  }
  const seconds = {}
  const lines = guideLines()
  for (const words of Object.keys(before))
    expectThat(
      lines.some(({ line }) => line.endsWith(words)),
      `the guide has no line with ${words}`,
    )
  for (const { line, isRun, volume, service, command } of lines) {
    const [, end] = Object.entries(before).find(([words]) => line.endsWith(words)) ?? []
    await end?.()
    tell(line)
    const begun = performance.now()
    const { code, output } = isRun
      ? await composition.run(service, command, volume && [volume])
      : await composition.exec(service, ...command)
    expectThat(code === 0, `${line}\nended with ${code}:\n${output}`)
    seconds[command?.slice(1).join(' ') ?? service] = (performance.now() - begun) / 1000
  }
  values.SECRET_KEY = newKey
  await composition.up()
  await untilAnswered(call)
  await expectWork(call, work)
  return seconds
}

async function measure({ composition, values, folder, image }) {
  tell('docker compose up')
  const begun = performance.now()
  await composition.up()
  const call = callerOf(composition)
  await untilAnswered(call)
  const upSeconds = (performance.now() - begun) / 1000
  const work = await workOn(call, composition)
  await expectLocked(composition)
  await expectNothingInTheOpen(composition)
  const { json: sessions } = await call('GET', 'profile/sessions', { token: work.token })
  // Not the proxy’s: it is trusted to say whose.
  expectThat(sessions.items[0].lastAddress === composition.outside, `signed in from ${sessions.items[0].lastAddress}`)
  tell('each Waybill anew')
  const replaced = await replaceBoth(call, composition, work.token)
  const lines = await followGuide({ composition, values, folder, call, work })
  say(`${machine()}; Debian’s PostgreSQL 15, Caddy 2.6, crun; ${PEOPLE} people read while each Waybill was replaced.\n`)
  say(
    table(
      ['what', 'figure'],
      [
        ['the image', image.size],
        ['the image built in, s', figure(image.seconds)],
        ['from `up` on empty volumes until all are healthy, s', figure(upSeconds, 1)],
        ['requests while each was replaced, none failed', figure(replaced.requests)],
        ['of these p99, ms', figure(replaced.p99)],
        ['of these the longest, ms', figure(replaced.most)],
        ...Object.entries(lines).map(([words, seconds]) => [`\`${words}\`, s`, figure(seconds, 1)]),
      ],
    ),
  )
}

async function main() {
  const why = whyNoMachines() ?? (await installTools(TOOLS))
  if (why) {
    say(`container: skipped: not allowed here: ${why}`)
    return
  }
  const image = await buildImages(tell)
  const folder = mkdtempSync(join(dataFolder, 'composition-'))
  const values = {
    WAYBILL_DOMAIN: DOMAIN,
    SECRET_KEY: randomBytes(32).toString('hex'),
    WAYBILL_OWNER_PASSWORD: secret(),
    WAYBILL_APP_PASSWORD: secret(),
    POSTGRES_PASSWORD: secret(),
    S3_ACCESS_KEY: 'S3RVER',
    S3_SECRET_KEY: 'S3RVER',
  }
  const composition = openComposition({ file: join(root, 'deploy/compose.yaml'), values, folder })
  try {
    await measure({ composition, values, folder, image })
  } finally {
    await composition.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

await runMeasurement(main)
