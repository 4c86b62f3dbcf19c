// Gates that are programs of others, with the project's settings.
import { join } from 'node:path'
import { findNode, root, run } from '../bootstrap.js'
import { root as house } from './sources.js'

const tool = (...parts) => join(root, 'node_modules', ...parts)

async function outputOf(args) {
  const { code, output } = await run(findNode(), args, { cwd: house, collect: true })
  return code === 0 ? [] : output.trimEnd().split('\n')
}

/** The compiler's findings in a project. */
export const checkTypes = (project) => () =>
  outputOf([tool('typescript', 'bin', 'tsc'), '-p', project, '--pretty', 'false', '--singleThreaded'])

export const checkLint = () => outputOf([tool('oxlint', 'bin', 'oxlint'), '--deny-warnings', '--format=unix'])

export const checkFormat = () =>
  outputOf([tool('@biomejs/biome', 'bin', 'biome'), 'format', '--reporter=summary', '--max-diagnostics=200'])

export const checkDeadCode = () =>
  outputOf([tool('knip', 'bin', 'knip.js'), '--no-progress', '--no-config-hints', '--exclude', 'binaries'])
