/** A caption, and what somebody else might write about the same picture, in other words. */
export interface CaptionPair {
  readonly caption: string;
  readonly paraphrase: string;
}

const PAIRS = `
a young dog runs across a meadow | a puppy races over the grass
two children build a castle of sand | a pair of kids making a sandcastle
an old man reads a newspaper on a bench | an elderly gentleman with the daily paper, sitting in a park
a red car is parked beside a brick wall | a scarlet automobile stands next to a wall of bricks
a woman slices tomatoes in a kitchen | a lady is cutting vegetables on a chopping board
three boats are moored in a small harbour | a trio of vessels tied up at a little port
snow covers the roofs of a village | houses in a small town, all white in winter
a cyclist climbs a steep mountain road | someone on a bicycle pedals uphill
a cat sleeps on a windowsill in the sun | a kitty napping by the window
fireworks light up the sky over a river | pyrotechnics at night above the water
a chef takes a loaf of bread out of an oven | a cook with a freshly baked bread
a train crosses a stone viaduct | a locomotive with carriages on a high arched bridge
a girl in a yellow raincoat jumps into a puddle | a child in rain clothes splashes through a pool of rainwater
a herd of elephants drinks at a waterhole | several pachyderms quench their thirst in the savanna
a surfer rides a big wave | a man on a board in the surf
empty chairs stand in rows in a lecture hall | an auditorium without an audience
a couple dances in a ballroom | two people waltzing indoors
a plate of spaghetti with basil | pasta garnished with green herbs
a firefighter carries a hose | a fireman holds a water pipe
a hot air balloon floats over vineyards | a large balloon with a basket drifts above rows of grapes
a white horse gallops along the beach | a pale stallion running by the sea
a mechanic repairs the engine of a motorbike | a workman fixing a motorcycle
a bowl of strawberries on a wooden table | red berries in a dish
a lighthouse stands on a rocky cliff | a beacon tower at a stony coast
four musicians play violins on a stage | a string quartet gives a concert
a baby crawls on a blue carpet | an infant on hands and knees on the rug
a desert with dunes at sunset | sand hills in the evening light
a bride throws her bouquet | a newly married woman tosses flowers
a squirrel eats a nut on a branch | a chipmunk nibbles an acorn in a tree
a policeman directs traffic at a crossing | an officer regulates cars at an intersection
a laptop and a cup of coffee on a desk | a notebook computer beside a hot drink at a workplace
a goalkeeper dives for the ball | a goalie tries to save a shot in football
a waterfall drops into a green pool | a cascade plunging down into a basin
an aeroplane takes off from a runway | a jet leaves the airport
a teacher writes on a blackboard | an instructor with chalk in front of the class
a flock of sheep blocks a country lane | ewes and lambs stand in the way on a rural road
a man shaves in front of a mirror | a guy removing his beard in the bathroom
purple lavender grows in long rows | a field of violet herbs in lines
a skyscraper is reflected in a glass front | a high-rise mirrored in the windows of a building
a grandmother knits a scarf | an old lady makes something of wool with needles
a pile of old books with leather covers | antique volumes stacked on each other
a swimmer touches the edge of the pool | an athlete finishing a race in the water
a waiter carries a tray of glasses | a server bringing drinks
a butterfly rests on a pink blossom | a moth sits on a rose-coloured flower
a tractor ploughs a brown field | farm machinery turning the soil
a crowd waits in front of a concert hall | many people queue outside a music venue
a fisherman mends his net on the quay | a man who catches fish repairs his gear at the dock
a slice of chocolate cake on a white plate | a piece of dark gateau for dessert
a skier turns sharply in deep powder | a person on skis going down a snowy slope
a broken window in an abandoned factory | shattered glass in a derelict industrial building
an owl looks out of a hollow tree | an owlet peers from a hole in a trunk
a boy blows out the candles of his birthday cake | a kid puts out the flames on his party cake
a market stall with apples and pears | fruit for sale at a street vendor
a nurse measures a patient's blood pressure | a hospital worker checks someone's health
a bus is stuck in heavy traffic | public transport caught in a jam
a spider web with drops of dew | a cobweb covered with droplets of water
a man in a suit talks on a mobile phone | a businessman making a call
a yellow taxi in the rain at night | a cab on a wet street after dark
a tent is lit from inside under the stars | camping beneath the night sky
two wrestlers fight in a ring | grapplers competing against each other
a bear catches a salmon in a river | a grizzly with a trout in a stream
a staircase spirals up to a dome | winding steps leading upwards in a building
a potter shapes a vase on a wheel | a ceramist makes a jug of clay
pigeons gather around a fountain | city birds near water in a square
a girl ties the laces of her running shoes | a young woman getting her sneakers ready for a jog
an empty road leads to mountains | a highway without cars running towards the peaks
a glass of beer with a thick head | a pint of lager with foam
a goat stands on a steep rock | a chamois on a cliff
students throw their caps into the air | graduates celebrate their degrees
a violin lies in an open case | a stringed instrument in its box
a mother pushes a pram through a park | a woman taking her baby for a walk in a stroller
a field of sunflowers under a blue sky | big yellow blossoms on a clear day
a carpenter saws a plank | a craftsman cutting wood
a snake coils around a branch | a python wrapped about a bough
a judge bangs a gavel in a courtroom | a magistrate with a hammer at a trial
a keyboard with glowing keys | a computer keypad with backlit buttons
a parrot with green feathers in a cage | an emerald macaw behind bars
a crane lifts steel beams at a building site | construction machinery raising metal girders
a family has a picnic under a tree | parents and children eating outdoors on a blanket
a storm drives waves over a pier | rough sea breaking on a jetty
a barber cuts the hair of a boy | a hairdresser giving a kid a trim
a pair of binoculars on a map | field glasses on a chart
a row of colourful beach huts | small wooden cabins in many colours by the sea
an archer aims at a target | a person with bow and arrow
a bee collects pollen from a daisy | a honeybee at work on a white flower
a doctor looks at an X-ray picture | a physician examines a radiograph
a lion yawns in the grass | a lioness opens her mouth wide on the savanna
a bottle of red wine with two glasses | an alcoholic drink made of grapes, for a couple
a tram passes an old church | a streetcar going by a historic house of worship
a rusty bicycle leans against a fence | an old corroded bike by the railings
a gardener waters tomatoes in a greenhouse | someone tending vegetables beneath glass
a diver swims among coral and fish | someone scuba diving at a reef
a pianist plays a grand piano | someone performing on a keyboard instrument at a recital
a penguin slides over the ice | penguins gliding across a frozen surface
a foggy forest in the morning | misty woods at dawn
a man proposes to a woman on one knee | a marriage proposal
rice fields on terraces | stepped paddies on a hillside
a child feeds ducks at a pond | a little one giving bread to waterfowl
an astronaut floats outside a space station | a cosmonaut on a spacewalk
a bowl of soup with steam rising | hot broth in a dish
a rock climber hangs from an overhang | an alpinist clings to a cliff
a windmill beside a canal | an old mill near a Dutch waterway
a librarian puts books on a shelf | a woman tidies volumes in a reading room
a tiger walks through tall grass | a tigress roams the undergrowth
a dentist treats a patient | somebody has a tooth drilled
an open umbrella lies on the sand | a parasol on the beach
five candles burn on an altar | a handful of flames in a church
a juggler entertains people in a street | a busker throws balls in front of passers-by
a lorry is loaded with logs | a truck carrying tree trunks
a rainbow over a green valley | a coloured arc in the sky above hills
a woman does yoga on a mat | a lady stretching in a lotus position
a frog sits on a lily pad | a toad on the floating leaf of a water plant
a pizza with mushrooms and olives | a margherita with fungi and other toppings
a referee shows a yellow card | a football official cautions a player
the ruins of a temple with columns | remains of an ancient sanctuary
a postman delivers a parcel | a mail carrier brings a package
a rabbit hides behind a carrot | a bunny with an orange vegetable
a rowing team pulls in time | eight athletes with oars in a boat
a wooden bridge over a gorge | a crossing of timber high above a ravine
a boy plays a video game | a teenager with a game console
a camel kneels in front of the pyramids | a dromedary rests near the tombs of the pharaohs
a sewing machine with blue cloth | a machine that stitches navy fabric
a girl blows soap bubbles | a child makes bubbles of foam
a man shovels snow from a path | someone clearing the pavement in winter
a shelf with jars of jam | pots of marmalade on a rack
a whale leaps out of the sea | a huge marine mammal breaching
a scientist looks through a microscope | a researcher examining a sample in a laboratory
an escalator in a shopping centre | moving stairs in a mall
a stag stands in the morning mist | a male deer in the fog
a kite flies above the dunes | a paper dragon on a string in the wind over the sand
a hammer and nails on a workbench | a mallet, pins and other tools on a carpenter's table
a queue of people at a ticket counter | passengers in line to buy their fares
a peacock spreads its tail | a peafowl shows its magnificent feathers
a submarine comes to the surface | an underwater vessel emerges
a man plays chess with his grandson | a grandfather and a boy at a board game
a volcano spits lava | an eruption of molten rock
an ice cream cone melts in a hand | frozen custard in a waffle drips over the fingers
a rooster crows on a fence | a cockerel greets the day
a runner crosses the finish line | a marathon athlete arrives first
a kitchen with white cupboards and a gas stove | a cooking area with pale cabinets and a hob
three puppies sleep in a basket | a litter of young dogs resting together
a drummer hits the cymbals | a percussionist performing
a hedgehog walks across a lawn | a porcupine in the garden
a glacier flows into the sea | a mass of ice reaching the ocean
a waitress wipes a table | a server cleaning up in a café
a black cat crosses the street | a dark feline on the road
a girl reads in bed with a torch | a child with a book under the covers at night
an old steam engine in a museum | a historic machine on display
a hiker rests at a summit cross | a walker takes a break on top of a mountain
a swan with its young on a lake | a cob and cygnets on a pond
a bowl of salad with cucumbers | raw greens served as a meal
a motorway at night with streaks of light | traffic in a long exposure after dark
a boxer punches a heavy bag | a fighter training in the gym
a basket full of eggs | a hamper of hen's eggs
a turtle crawls towards the water | a tortoise on its way to the ocean
a florist ties a bunch of roses | a shopkeeper arranging flowers
a playground with swings and a slide | an adventure park where kids climb and swing
a mouse peeks out of a hole in the wall | a little rat looks from its hiding place
a blue butterfly on a finger | an azure insect sitting on someone's hand
a plumber fixes a dripping tap | a tradesman repairs a leaking faucet
a castle on a hill above a river | a fortress overlooking a stream
a woman tries on a hat in a shop | a customer puts headgear on her head
a zebra drinks beside a giraffe | African wildlife with stripes and long necks at the water
a man washes his car with a sponge | cleaning a vehicle by hand
a skateboarder jumps over steps | a youth doing a trick on a board with wheels
autumn leaves cover a path | fallen foliage in October on a walkway
a clock tower strikes noon | Big Ben shows twelve
a microphone on an empty stage | a mic in the spotlight, and no singer
a fox crosses a snowy field | a vixen in a wintry landscape
a priest blesses a couple at an altar | a clergyman at a wedding
a stack of pancakes with syrup | a sweet breakfast of flat cakes
a dog catches a frisbee | a canine leaps for a flying disc
a ferry arrives at an island | a passenger ship reaching land
a pair of red shoes with high heels | ladies' footwear in crimson
a cowboy throws a lasso | a man of the ranch with a rope
a wet umbrella in a stand | a dripping parasol in its holder
a greenhouse full of orchids | exotic flowers under glass
a woman takes a selfie in front of a tower | someone photographs herself with a landmark behind
an eagle circles above a valley | a hawk soars over the lowland
a hospital corridor with empty beds | a hallway of a clinic
a man grills sausages in a garden | a barbecue in the backyard
a carousel with wooden horses | a merry-go-round at the fair
a monkey peels a banana | a chimpanzee with a yellow fruit
a lone tree in a wheat field | a single oak amid the grain
a girl draws with crayons | a child making a colourful picture
a robot arm welds a car door | automated manufacturing in an automobile plant
a chandelier hangs in a staircase | a crystal lamp is suspended above the steps
a bucket and spade on the sand | a pail and a small shovel at the seaside
a seal lies on a rock | a sea lion basks on a stone
a man paints a wall green | a decorator colours a room in emerald
a full moon rises behind a hill | moonrise over a ridge
a dancer leaps in a white dress | a ballerina in mid-air
a swarm of fish in an aquarium | a shoal in a glass tank
a sleeping passenger on a plane | somebody dozing during a flight
an apple with a bite taken out | a partly eaten apple
a wolf howls in the snow | a husky calls in winter
a thief climbs out of a window | a burglar leaves a house
two parrots share a seed | a pair of tropical birds eating together
a tower of coloured toy blocks | a child's building bricks piled high
a hand holds a crystal ball | someone's fingers around a sphere of glass
`;

export const CAPTION_PAIRS: readonly CaptionPair[] = PAIRS.trim()
  .split('\n')
  .map((line) => {
    const [caption, paraphrase] = line.split(' | ');
    return { caption: caption!, paraphrase: paraphrase! };
  });
