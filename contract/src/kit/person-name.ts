// Titles as they stand before a name on business cards in our three languages.
const TITLE = /^(?:prof|dr|dipl|ing|mag|mgr|inż|hab|lic)(?!\p{L})\.?(?:-[a-zäöü.]+)*\.?$/iu
const PARTICLE = /^(von|vom|van|der|den|de|del|della|di|du|la|le|zu|zum|zur|af|av|ten|ter)$/iu

export interface NameParts {
  academicTitle: string | null
  lastName: string
}

/**
 * How a letter addresses a person of whom only the full name is known: `Dr. Aylin Öztürk` → title `Dr.`, last name
 * `Öztürk`; `Jan van der Berg` → `van der Berg`; `Krause, Monika` → `Krause`. A proposal, because no rule knows all
 * names.
 */
export function nameParts(fullName: string): NameParts {
  const words = fullName.trim().split(/\s+/)
  const titles: string[] = []
  while (words.length > 1 && TITLE.test(words[0]!)) titles.push(words.shift()!)
  const academicTitle = titles.length === 0 ? null : titles.join(' ')
  const before = /^([^,]+),/.exec(words.join(' '))?.[1]
  if (before) return { academicTitle, lastName: before.trim() }
  let first = words.length - 1
  while (first > 1 && PARTICLE.test(words[first - 1]!)) first -= 1
  return { academicTitle, lastName: words.slice(first).join(' ') }
}
