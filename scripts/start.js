// `npm start [-- --demo]`: from a fresh clone to a running Waybill, on Node 20 or newer and npm.
import {
  buildWebIfStale,
  findNode,
  installIfStale,
  nodeFlags,
  root,
  say,
  stopOnSignal,
  supervise,
} from './bootstrap.js'
import { join } from 'node:path'

stopOnSignal()
await installIfStale()
const node = findNode()
await buildWebIfStale(node)
say('Starting …')
process.exitCode = await supervise([
  { command: node, args: [...nodeFlags, join(root, 'server', 'src', 'main.ts'), ...process.argv.slice(2)] },
])
