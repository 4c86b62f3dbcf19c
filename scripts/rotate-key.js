// `npm run rotate-key`: another secret key, with everything that is sealed sealed anew; the server is stopped for it.
import { runServerProgram } from './bootstrap.js'

process.exitCode = await runServerProgram('keys/rotate-key-command.ts')
