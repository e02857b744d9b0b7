/** The puzzle of the day: the same for everybody on the same date. */

/** The puzzles in their order. Once published it stays as it is: a new puzzle would move all days. */
const KEYS = (
  "classic/two-shelves classic/interlocking classic/tango classic/archway classic/sliding-door " +
  "classic/tower-block classic/quicksand classic/puppet-show classic/shadow-boxing classic/switchyard " +
  "classic/family-portrait classic/harbour-wall classic/siding classic/matryoshka classic/three-letters " +
  "classic/masked-ball classic/blowpipes classic/canal-junction classic/roundabout bundled/lid-last " +
  "classic/two-minds bundled/keyhole classic/lobster-pots bundled/deep-water classic/bookcase " +
  "classic/ship-in-a-bottle classic/pneumatic-post classic/forklift classic/puppeteer classic/umbrella-stand " +
  "classic/movable-type classic/boat-hook classic/long-haul bundled/through-the-fence classic/organ-pipes " +
  "classic/stage-door classic/spring-cleaning classic/labyrinth bundled/duet classic/lost-sheep " +
  "classic/eight-tiles classic/oyster classic/city-blocks classic/packing-day classic/crowded-corner " +
  "classic/two-ponds classic/sardines classic/girder-bridge classic/freight-lift classic/one-way-system " +
  "classic/ghost-axle bundled/castaway classic/sheepfold classic/lost-luggage classic/loft classic/dry-dock " +
  "bundled/cork classic/horseshoe classic/swordfish classic/fenced-garden bundled/hermit-crab " +
  "classic/four-corners classic/castle-keep bundled/tuning-fork classic/remote-control classic/harbour-tug " +
  "classic/needlework classic/cathedral classic/long-train classic/snow-globe classic/cradle classic/skittles " +
  "classic/snow-plough classic/theta classic/removal-firm classic/pitchfork classic/airlock classic/ramrods " +
  "bundled/portcullis classic/totem-pole classic/long-arm classic/back-room classic/single-track " +
  "classic/sluice-gates classic/crane-driver"
).split(" ");

const DAY_MS = 86_400_000;

/** Returns the key of the puzzle of a date. */
export function keyOfDay(date = new Date()) {
  const day = Math.floor(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY_MS);
  return KEYS[day % KEYS.length];
}
