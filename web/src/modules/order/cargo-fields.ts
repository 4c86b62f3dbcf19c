const IN_DIALOG = ['customerId', 'cargoTypeId', 'valueCents', 'packages', 'stackingFactor', 'specialHandlingTypeIds', 'instructions', 'marks', 'temperatureFrom', 'temperatureTo', 'adr']

/** The line whose dialog holds the field of a path, or null. */
export function lineBehind(path: string): number | null {
  const [top, line, field] = path.split('.')
  return top === 'cargo' && field !== undefined && IN_DIALOG.includes(field) ? Number(line) : null
}
