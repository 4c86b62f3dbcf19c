// `npm run dev`: the pages from Vite with hot reload, the server started again whenever one of its files changes.
import { join } from 'node:path'
import { findNode, installIfStale, nodeFlags, root, say, stopOnSignal, supervise } from './bootstrap.js'

stopOnSignal()
await installIfStale()
const node = findNode()
const port = process.env.PORT ?? '3000'
const webPort = process.env.WEB_PORT ?? '5173'
say(`The pages: http://127.0.0.1:${webPort} (the server answers them from port ${port})`)
process.exitCode = await supervise([
  {
    command: node,
    args: [
      ...nodeFlags,
      '--watch',
      '--watch-preserve-output',
      join(root, 'server', 'src', 'main.ts'),
      ...process.argv.slice(2),
    ],
    env: { PORT: port },
  },
  {
    command: node,
    args: [join(root, 'node_modules', 'vite', 'bin', 'vite.js'), '--clearScreen', 'false', '--port', webPort],
    cwd: join(root, 'web'),
    env: { API_URL: `http://127.0.0.1:${port}` },
  },
])
