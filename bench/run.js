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

/** Folder below `bench` → its commands. */
const COMMANDS = {
  '.': [
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
  ],
  // What says whether it can be relied on: these take long.
  operation: ['soak', 'kill', 'hostile', 'nodes', 'listeners', 'container'],
  // What says whether the tests can.
  mutants: ['mutants'],
}
const [command, ...options] = process.argv.slice(2)
const folder = Object.keys(COMMANDS).find((name) => COMMANDS[name].includes(command))
if (folder === undefined)
  giveUp(`Say what to measure: npm run bench -- ${Object.values(COMMANDS).flat().join('|')} (bench/README.md)`)

stopOnSignal()
await installIfStale()
const node = findNode()
await buildServerIfStale(node)
const { code } = await run(node, [...nodeFlags, join(root, 'bench', folder, `${command}.js`), ...options])
process.exitCode = code
