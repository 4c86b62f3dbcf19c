// `npm start [-- --demo]`: from a fresh clone to a running Waybill, on Node 20 or newer and npm.
import {
  buildServerIfStale,
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
await buildServerIfStale(node)
await buildWebIfStale(node)
say('Starting …')
process.exitCode = await supervise([
  { command: node, args: [...nodeFlags, join(root, 'server', 'dist', 'main.js'), ...process.argv.slice(2)] },
])
