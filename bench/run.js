// `npm run bench -- COMMAND [options]`: begins on the host’s Node, goes on with the pinned one.
import { join } from 'node:path'
import {
  buildServerIfStale,
  findNode,
  giveUp,
  installIfStale,
  nodeFlags,
  root,
  run,
  stopOnSignal,
} from '../scripts/bootstrap.js'

const commands = [
  'load',
  'api',
  'web',
  'start',
  'crowd',
  'preview',
  'paint',
  'invoices',
  'intake',
  'board',
  'check',
  'mails',
  'reports',
]
/** What says whether it can be relied on: these take long. */
const ofOperation = ['soak', 'kill', 'hostile', 'nodes', 'listeners', 'container']
const [command, ...options] = process.argv.slice(2)
/** What says whether the tests can. */
const ofTests = ['mutants']
const all = [...commands, ...ofOperation, ...ofTests]
if (!all.includes(command)) giveUp(`Say what to measure: npm run bench -- ${all.join('|')} (bench/README.md)`)

stopOnSignal()
await installIfStale()
const node = findNode()
await buildServerIfStale(node)
const folder = ofOperation.includes(command) ? 'operation/' : ofTests.includes(command) ? 'mutants/' : ''
const { code } = await run(node, [...nodeFlags, join(root, 'bench', `${folder}${command}.js`), ...options])
process.exitCode = code
