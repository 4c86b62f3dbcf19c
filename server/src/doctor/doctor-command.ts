// `npm run doctor`: what is right and what is wrong with this installation, line by line, and what to do.
import { ConfigError, readConfig, type Config } from '../config.ts'
import { openCommandDatabase } from '../backup/installation.ts'
import { checkDatabase } from './check-database.ts'
import { checkDisk, checkFonts, checkNode, hasEmbeddedDatabase } from './check-machine.ts'
import { checkServices } from './check-services.ts'
import { finding, type Finding } from './finding.ts'

function readSettings(): { config: Config | null; found: Finding[] } {
  try {
    return {
      config: readConfig(undefined, { isKeyMade: false }),
      found: [{ level: 'right', about: 'Settings', words: 'each is of the right form' }],
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const advice = 'See the README, Settings. A new installation gets its secret key by npm start.'
    return {
      config: null,
      found: error.message.split('\n').map((words) => ({ level: 'wrong', about: 'Settings', words, advice })),
    }
  }
}

async function checkDatabaseOf(config: Config): Promise<Finding[]> {
  if (config.database === null && !hasEmbeddedDatabase(config))
    return [{ level: 'note', about: 'Database', words: 'there is none yet: the first npm start makes it' }]
  let found: Finding[] = []
  const opened = await finding('Database', 'See to DATA_DIR.', async () => {
    const database = await openCommandDatabase(config)
    found = await checkDatabase(config, database).finally(() => database.close())
    return ''
  })
  return opened.level === 'wrong' ? [opened] : found
}

/** What nobody may read over somebody's shoulder, or in a ticket. */
function secretsOf({ database, smtpUrl, secretKey, storage, backup, ...config }: Config): string[] {
  const urls = [
    database?.url,
    database?.ownerUrl,
    database?.directUrl,
    database?.readUrl,
    smtpUrl,
    config.mailbox?.url,
    config.geocoderUrl,
    config.routingUrl,
    config.viesUrl,
    config.tiles?.url,
    config.nbpUrl,
  ]
  const passwords = urls.flatMap((url) => {
    const { password = '', search = '' } = (url && URL.parse(url)) || {}
    return [password, decodeURIComponent(password), search]
  })
  const keys = [storage, backup?.place].flatMap((place) =>
    place?.kind === 's3' ? [place.credentials?.secretAccessKey, place.credentials?.sessionToken] : [],
  )
  return [secretKey, config.provider?.clientSecret, ...passwords, ...keys].filter((secret): secret is string =>
    Boolean(secret),
  )
}

const MARKS = { right: 'right', note: 'note ', wrong: 'WRONG' }

const { config, found } = readSettings()
if (config !== null)
  found.push(...(await checkDatabaseOf(config)), await checkDisk(config), ...(await checkServices(config)))
found.push(checkNode(), await checkFonts())
const secrets = config === null ? [] : secretsOf(config)
for (const { level, about, words, advice } of found) {
  const line = `${MARKS[level]}  ${about}: ${words}${advice ? `\n       ${advice}` : ''}\n`
  process.stdout.write(secrets.reduce((text, secret) => text.replaceAll(secret, '…'), line))
}
const wrong = found.filter(({ level }) => level === 'wrong').length
process.stdout.write(
  wrong === 0 ? 'Nothing is wrong.\n' : `${wrong} ${wrong === 1 ? 'thing is' : 'things are'} wrong.\n`,
)
process.exit(wrong === 0 ? 0 : 1)
