// `npm run check`: every rule that can be checked without running the product.
import { join } from 'node:path'
import { findNode, installIfStale, root, run, stopOnSignal } from './bootstrap.js'

stopOnSignal()
await installIfStale()
const { code } = await run(findNode(), [join(root, 'scripts', 'gates', 'run.js'), ...process.argv.slice(2)])
process.exitCode = code
