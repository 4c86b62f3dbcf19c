// `npm run build`: makes everything ready that a start would make, and starts nothing: for a service that cannot write
// to its own code.
import { join } from 'node:path'
import { buildServerIfStale, buildWebIfStale, findNode, installIfStale, nodeFlags, root, run } from './bootstrap.js'

await installIfStale()
const node = findNode()
await buildServerIfStale(node)
await buildWebIfStale(node)
const { code } = await run(node, [...nodeFlags, join(root, 'server', 'src', 'link-embedded-command.ts')])
process.exitCode = code
