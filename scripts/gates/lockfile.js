import { npmCommand, run } from '../bootstrap.js'
import { files, textOf } from './sources.js'

// What may be shipped inside a product that is not open source, without giving its own source away.
const licences = [
  /MIT|MIT-0|ISC|0BSD|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|BlueOak-1\.0\.0|CC0-1\.0|CC-BY-4\.0/,
  /Python-2\.0|Unlicense|MPL-2\.0|OFL-1\.1|WTFPL|Zlib/,
]
const permissive = new RegExp(`^\\(?(${licences.map(({ source }) => source).join('|')})\\b`)
const exact = /^\d+\.\d+\.\d+(-[\w.]+)?$/

// These platforms' bindings of 0.7.0 were nowhere to be had when it was locked; Linux on x64 has its own,
// the others take the WebAssembly build.
const notPublished = /^@myriaddreamin\/typst-ts-node-compiler-(android|darwin|linux-arm|win32)/

// They say it in an older form or in their readme, which npm does not carry over: MIT, all of them, read in the
// packages. Parts of the tests' S3 server.
const saysElsewhere = new Set(
  ['busboy@0.3.1', 'dicer@0.3.0', 'humanize-number@0.0.2', 'only@0.0.2', 'streamsearch@0.1.2'].map(
    (name) => `node_modules/${name}`,
  ),
)

export async function checkLockfile() {
  const lock = JSON.parse(textOf('package-lock.json')).packages
  const problems = []
  for (const file of files.filter((name) => /^([^/]+\/)?package\.json$/.test(name))) {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(textOf(file))
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
      if (!exact.test(version))
        problems.push(
          `${file}: ${name} is asked for as ${version}: versions are exact, so that two installs are the same`,
        )
    }
  }
  for (const [path, entry] of Object.entries(lock)) {
    if (!path.includes('node_modules/') || entry.link) continue
    if (entry.resolved)
      problems.push(`${path} names a download host: omit-lockfile-registry-resolved belongs into .npmrc`)
    if (!entry.integrity) problems.push(`${path} has no checksum`)
    if (!permissive.test(entry.license ?? '') && !saysElsewhere.has(`${path}@${entry.version}`))
      problems.push(`${path} is under ${entry.license ?? 'no licence'}: only permissive ones`)
    // npm leaves bindings of other platforms out now and then; the install then works only where the lockfile was made.
    for (const name of Object.keys(entry.optionalDependencies ?? {})) {
      const isThere = [
        `${path}/node_modules/${name}`,
        ...ancestors(path).map((parent) => `${parent}node_modules/${name}`),
      ].some((candidate) => lock[candidate])
      if (!isThere && !notPublished.test(name))
        problems.push(`${path} has the optional part ${name}, which the lockfile lacks`)
    }
  }
  const npm = npmCommand()
  const { code, output } = await run(
    npm.command,
    [...npm.args, 'ci', '--dry-run', '--ignore-scripts', '--loglevel=error'],
    { collect: true, shell: npm.shell },
  )
  if (code !== 0)
    problems.push(
      `npm ci would refuse: ${
        output
          .split('\n')
          .filter((line) => /error (Missing|Invalid|code)/.test(line))
          .join('; ') || output.slice(0, 500)
      }`,
    )
  const npmrc = files.includes('.npmrc') ? textOf('.npmrc') : ''
  for (const line of ['save-exact=true', 'omit-lockfile-registry-resolved=true', 'ignore-scripts=true']) {
    if (!npmrc.includes(line)) problems.push(`.npmrc lacks ${line}`)
  }
  return problems
}

function ancestors(path) {
  const parts = path.split('node_modules/')
  return parts
    .map((_, index) => parts.slice(0, index + 1).join('node_modules/'))
    .filter((prefix) => prefix === '' || prefix.endsWith('/'))
    .reverse()
}
