/** The groups in which people look for labels and groups that WordNet has elsewhere. An empty name is above none. */
const EXPECTED = {
  '': 'seat belt, web site, slide rule',
  clothing: 'footwear, cloak, ski mask',
  headdress: 'pickelhaube',
  armor: 'breastplate',
  vehicle: 'bus, bullet train',
  'motor vehicle': 'golfcart',
  ship: 'schooner, aircraft carrier',
  boat: 'trimaran',
  bear: 'giant panda',
  table: 'dining table',
  lamp: 'table lamp',
  'optical instrument': 'sunglasses',
  container: 'cup',
  'electronic equipment':
    'computer, television, radio, loudspeaker, microphone, remote control, computer mouse, computer screen, hard disk',
  'kitchen appliance': 'stove',
  'home appliance': 'electric fan, hair dryer, space heater',
  'kitchen utensil': 'ladle, strainer',
  'sports equipment': 'ball, racket, ski, hockey puck',
  building: 'dwelling, shop, castle, lighthouse, prison, lumbermill',
  shop: 'grocery store',
  monument: 'obelisk, totem pole',
  food: 'dish, dessert, plate, guacamole, chocolate sauce, dough',
  dish: 'meat loaf, carbonara',
  vegetable: 'corn, ear of corn',
} as const;

/** By the name of the label or group. */
export const EXPECTED_PARENTS: ReadonlyMap<string, string> = new Map(
  Object.entries(EXPECTED).flatMap(([parent, names]) => names.split(', ').map((name) => [name, parent] as const)),
);
