import type { Importer } from '../../db/importer.ts'
import { productImporter } from '../catalog/catalog.import.ts'
import { dictionaryImporter } from '../dictionaries/dictionaries.import.ts'
import { offlineOrderImporter } from '../orders/orders.import.ts'
import { memberImporter } from '../profile/profile.import.ts'

/** Every type of line, and the noun that takes it in. */
export const importers: readonly Importer[] = [
  memberImporter,
  dictionaryImporter,
  productImporter,
  offlineOrderImporter,
]
