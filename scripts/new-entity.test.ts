// A slice that was written by `npm run new-entity` is held to every rule of the house, and works.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const project = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'new-entity-'))
const minute = 60_000
let firstOutput = ''

/** The clone uses our packages, but its own workspaces: else it would be checked against our contract. */
function lendPackages(): void {
  // What git ignores as a folder is a link here.
  appendFileSync(join(folder, '.git/info/exclude'), 'node_modules\n')
  const own = '@waybill'
  mkdirSync(join(folder, 'node_modules', own), { recursive: true })
  for (const entry of readdirSync(join(project, 'node_modules')))
    if (entry !== own) symlinkSync(join(project, 'node_modules', entry), join(folder, 'node_modules', entry))
  for (const workspace of ['contract', 'server', 'web']) {
    symlinkSync(join('..', '..', workspace), join(folder, 'node_modules', own, workspace))
    const nested = join(project, workspace, 'node_modules')
    if (existsSync(nested)) symlinkSync(nested, join(folder, workspace, 'node_modules'))
  }
}

function inClone(program: string, ...args: string[]): { code: number | null; output: string } {
  const { WAYBILL_LONG: _long, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: folder,
    env: { ...env, NO_COLOR: '1' },
    encoding: 'utf8',
    timeout: 5 * minute,
  })
  return { code: status, output: `${stdout}${stderr}` }
}

const newEntity = (...args: string[]) => inClone('npm', 'run', '--silent', 'new-entity', '--', ...args)
const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' })
const texts = (language: string, name: string) =>
  JSON.parse(readFileSync(join(folder, `web/src/locales/${language}/${name}.json`), 'utf8'))

beforeAll(() => {
  git('clone', '--quiet', '--no-hardlinks', project, '.')
  lendPackages()
}, minute)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('npm run new-entity', () => {
  it.each([
    [[]],
    [['Parcel Size']],
    [['parcel-size', 'box']],
    [['parcel-size', '--de', 'Packstückgröße']],
    [['parcel-size', '--colour', 'red']],
  ])('explains itself and writes nothing for %j', (args) => {
    const { code, output } = newEntity(...args)
    expect(code).toBe(1)
    expect(output).toContain('npm run new-entity -- parcel-size')
    expect(git('status', '--porcelain')).toBe('')
  })

  it('writes nothing over what is there', () => {
    const { code, output } = newEntity('country')
    expect(code).toBe(1)
    expect(output).toMatch(/is there already: nothing was written/)
    expect(git('status', '--porcelain')).toBe('')
  })

  it('writes a slice whose words are the language’s own, and says what is left to do', () => {
    const { code, output } = newEntity(
      'parcel-size',
      '--de',
      'Packstückgröße, Packstückgrößen',
      '--pl',
      'Rozmiar paczki, Rozmiary paczek',
    )
    firstOutput = output
    expect(output).toContain('docs/GLOSSARY.md')
    expect(output).not.toContain('English so far')
    expect(code).toBe(0)
    const words = (language: string) => texts(language, 'shell').record.parcelSize
    expect(words('en')).toMatchObject({
      title: 'Parcel sizes',
      one: 'Parcel size',
      create: 'New parcel size',
    })
    expect(words('de')).toMatchObject({ title: 'Packstückgrößen', create: 'Packstückgröße anlegen' })
    expect(words('pl').title).toBe('Rozmiary paczek')
    const saved = {
      en: 'The parcel size was saved successfully',
      de: 'Packstückgröße wurde erfolgreich gespeichert',
      pl: 'Zapisano pomyślnie: rozmiar paczki',
    }
    for (const [language, sentence] of Object.entries(saved)) expect(words(language).saved).toBe(sentence)
  })

  it('touches sixteen files at most, each of which is named', () => {
    const touched = git('status', '--porcelain', '--untracked-files=all').trimEnd().split('\n')
    expect(touched.length, touched.join('\n')).toBeLessThanOrEqual(16)
    expect(touched.filter((one) => !firstOutput.includes(one.slice(3)))).toEqual([])
  })

  it('lets the palette find its records, under the name of their kind', () => {
    const routes = readFileSync(join(folder, 'web/src/app/routes.tsx'), 'utf8')
    expect(routes).toMatch(/path: '\/parcel-sizes',\n(?: {4}.*\n)*? {4}found: \{ kindKey: 'record.parcelSize.one' \}/)
    expect(texts('en', 'shell').record.parcelSize.one).toBe('Parcel size')
    expect(texts('de', 'shell').record.parcelSize.one).toBe('Packstückgröße')
  })

  it('writes another one beside it without being told the words, and says which are missing', () => {
    const { code, output } = newEntity('body-type')
    expect(output).toContain('the words for de and pl, which are English so far')
    expect(code).toBe(0)
    expect(
      git('status', '--porcelain', '--untracked-files=all')
        .split('\n')
        .filter((line) => line.includes('body-type')).length,
    ).toBe(5)
    // The migration of the one before is not the newest any more.
    expect(readFileSync(join(folder, 'server/migrations/landed.txt'), 'utf8')).toMatch(
      /^\d{4}-parcel-sizes [\da-f]{64}$/m,
    )
  })

  it('leaves no hole unfilled and no trace of itself', () => {
    const written = git('ls-files', '--others', '--exclude-standard').trim().split('\n')
    expect(written.length).toBe(10)
    for (const file of written)
      expect(readFileSync(join(folder, file), 'utf8'), file).not.toMatch(
        /__(kebab|camel|Camel|snake|words|number|one|many|CONSTANT)|new-entity/,
      )
  })

  it(
    'passes every gate of the house',
    () => {
      const { code, output } = inClone('npm', 'run', '--silent', 'check')
      expect(
        output
          .split('\n')
          .filter((line) => !line.startsWith('passed'))
          .join('\n')
          .trim(),
      ).toBe('')
      expect(code).toBe(0)
    },
    5 * minute,
  )

  it(
    'works: the screens open as the rights say, and each save is worded',
    () => {
      const { code, output } = inClone(
        process.execPath,
        join(folder, 'node_modules/vitest/vitest.mjs'),
        'run',
        '--project',
        'rules',
        'web/src/app/guards.test.ts',
        'web/src/kit/form/page/saved-notice.test.ts',
      )
      expect(code, output).toBe(0)
      expect(stripVTControlCharacters(output)).toMatch(/Test Files\s+2 passed/)
    },
    5 * minute,
  )

  it(
    'works: the slices’ own tests and the access matrix hold',
    () => {
      const tests = [
        'server/src/modules/parcel-size',
        'server/src/modules/body-type',
        'server/test/access-matrix.test.ts',
      ]
      const { code, output } = inClone(
        process.execPath,
        join(folder, 'node_modules/vitest/vitest.mjs'),
        'run',
        '--project',
        'server',
        ...tests,
      )
      expect(code, output).toBe(0)
      expect(stripVTControlCharacters(output)).toMatch(/Test Files\s+3 passed/)
    },
    5 * minute,
  )
})
