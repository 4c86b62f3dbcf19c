export { tableFigures, type TableFigures } from './table-figures.query.ts'
export { beat, BEAT_SECONDS, leave, nodesBeside, SILENT_SECONDS, type Node } from './node.repository.ts'
