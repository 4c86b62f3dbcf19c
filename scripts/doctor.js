// `npm run doctor`: what is right with this installation, what is wrong, and what to do.
import { runServerProgram } from './bootstrap.js'

process.exitCode = await runServerProgram('doctor/doctor-command.ts')
