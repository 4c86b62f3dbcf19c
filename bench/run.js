// `npm run bench -- COMMAND [options]`: begins on the host’s Node, goes on with the pinned one.
import { join } from 'node:path'
import { findNode, giveUp, installIfStale, nodeFlags, root, run, stopOnSignal } from '../scripts/bootstrap.js'

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
const [command, ...options] = process.argv.slice(2)
if (!commands.includes(command)) giveUp(`Say what to measure: npm run bench -- ${commands.join('|')} (bench/README.md)`)

stopOnSignal()
await installIfStale()
const { code } = await run(findNode(), [...nodeFlags, join(root, 'bench', `${command}.js`), ...options])
process.exitCode = code
