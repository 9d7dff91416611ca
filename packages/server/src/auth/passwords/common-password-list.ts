/**
 * Passwords that attackers try first: words, names, places, and rows of keys and digits, in several languages.
 * In lower case, sorted, separated by whitespace. Does not list passwords that only add an ending to another
 * one: see `isCommonPassword`.
 */
export const COMMON_PASSWORD_LIST = `
!!!!!! !@#$ !@#$%^ !@#$%^& !@#$%^&* !@#$%^&*( !@#$%^&*() !@#123 !qaz1qaz !qaz2wsx ###### $$$$$$ ****** ******** ++++++
------ ........ 0000 000000000 007 010101 010203 0123 012345678 098765 100000 100100 101010 102030 1029384756 110110
1111 111111111 11111a 1111222233334444 111222 112233 112358 121212 123 123!@# 12312312 123123a 12341234 12344321
1234512345 123454321 1234554321 123456123 123456654321 12345678 123456789a 123456789q 12345678a 1234567a 123456987
123456a 123456b 123456q 12345a 123654789 12369874 123abc 123asd 123qwe 123qweasd 123qweasdzxc 123zxc 131313 1357 141414
147147 147258 147852 1478963 151515 159159 159263 159357 159753 159951 161616 1701 171717 181818 191919 192837 1984 1985
1986 1987 1988 1989 1990 1991 1992 1993 1994 1995 1996 1997 1998 1999 1a2b3c 1a2b3c4d 1password 1q2w3e 1q2w3e4r
1q2w3e4r5t 1q2w3e4r5t6y 1qaz 1qaz!qaz 1qaz1qaz 1qaz2wsx 1qaz2wsx3edc 1qaz@wsx 1qazxsw2 1qw23er4 2000 2001 2002 2003 2004
2005 2006 2007 2008 2009 2010 20112011 20122012 202020 212121 2222 222333 232323 242424 2468 252525 258369 258456 262626
27182818 272727 282828 292929 2pac 303030 313131 314159 321321 321654 323232 3333 343434 353535 357159 363636 369258
369369 373737 383838 393939 404040 414141 420420 420blaze 424242 434343 4444 454545 456123 456456 456789 464646 474747
4815162342 484848 494949 49ers 500500 505050 50cent 5150 515150 515151 5201314 520520 521521 525252 535353 545454 5555
565656 5678 575757 585858 595959 606060 616161 626262 636363 646464 654321 654654 654987 656565 6666 666999 676767
686868 696969 707070 717171 727272 737373 741852 747474 753159 753951 757575 767676 7777 777777777 777888 787878 789456
789654 789789 797979 808080 818181 828282 838383 848484 852456 852852 858585 8675309 868686 87654321 878787 8888
888888888 888999 898989 90210 909090 919191 929292 939393 949494 951623847 951753 959595 963852 963963 969696 979797
987456 987654 987987 989898 9999 999999999 @@@@@@ a12345 a1b2c3 a1b2c3d4 a1b2c3d4e5 aa123456 aaa aaaa aaaaa aaaaaa
aaaaaaa aaaaaaaa aaaaaaaaa aaaaaaaaaa aabbcc aabbccdd abc abc12345 abc@123 abcabc abcd abcd@1234 abcde abcde12345 abcdef
abcdefg abcdefgh abcdefghi abcdefghij abcdefghijk abigail absolut access account accounting accounts acdc acmilan actor
actress acura adam adidas adios admin admin12345 admin@123 adminadmin administrator adminpass adminpassword adrian
adriana adventure africa agnes agnieszka ahmad ahmed ahmet ahoj airbus aircraft airforce airplane aisha ajax alabama
aladdin alaska albert alberto alejandra alejandro alex alexa alexander alexandra alexandre alexis alfred alfredo algebra
algeria alhamdulillah ali aliali alice aliceinwonderland alicia alien aliens alison alive allah allahuakbar allison
allstar allstars aloha alpha alphabet always alwaysandforever alyssa amanda amazing amazon amber amelia amen america
american americana amiga amigo amigos amor amorcito amore amoremio amormeu amormio amour amsterdam amy ana anaconda
anakin anarchy anastasia anchor anderson andre andrea andreas andres andrew android andy angel angela angelbaby
angelface angelica angelina angelique angelo angels anger angry anime anita anjali ankara ann anna annabelle anne annie
ant antarctica anthony antivirus antoine antonio ants anything apollo apple applejuice applepie apples april aquarius
aqwzsx arabia aragorn archery ares argentina ariana ariel aries arigato arizona armani army arnold arsenal art arthur
artist arts artwork as123456 asd asd!@# asdasd asdasdasd asdf asdfasdf asdfg asdfgh asdfghj asdfghjk asdfghjkl asdfjkl
asdfzxcv asdqwe asdzxc ashley ashton asia askim assassin assassins asshole astonvilla astronaut astros athena athens
athina atlanta atletico auckland audi audia4 audrey august aunt auntie aussie austin australia austria autumn avalanche
avenger avengers avocado awake awesome awesomeness ayesha ayse azerty azertyui azertyuiop bababa babe baboon baby
babyangel babyblue babyboy babycakes babydoll babyface babygirl babylove bacardi backup bacon badass badboy badger
badgers badgirl baghdad bailey baker bakery ballerina ballet balloon balloons baltimore bambam bambi bamboo banana
bananas bandit bandito bandits bandung bangalore bangkok bangladesh banjo bank banking banzai barbara barber barbie
barbiegirl barca barcelona barney barry bart bartek bartender bartman bartsimpson baseball basketball bass bassist
batman batteryhorse battlefield baxter bayern bayernmunich bbbbbb bbbbbbbb beach beachbum beagle beaker bean beanie
beans bear bears beatles beatrice beautiful beauty beaver bebe bebita beckham becky bee beer beerbeer bees beetle begin
beijing beijos beirut belgium belieber believe believer bella bellaswan bellissima ben bender benfica bengals benjamin
benji benny benson bentley beograd berlin bernard bernie besiktas bestfriend bestfriends beta betty beverly beyonce bff
bffs bharat bible bicycle bieber bigbang bigbear bigben bigboss bigboy bigdaddy bigdick bigdog bigfish bigfoot biggie
biggles bigmac bigman bigred bigtits biker bilbo bill billabong billion bills billy billybob bingo biology birdie
birdman birthday biscuit bismillah bison bisous bitch bitches blabla blablabla black blackberry blackbird blackcat
blackdog blackdragon blackhawks blackhole blackie blackjack blackknight blackout blackpanther blackrose blacksabbath
blade blah blahblah blast blaster blaze bleach blessed blessing blessings blessme bling blink blizzard blonde blondie
blossom blue blueberry bluebird bluedevils bluedog blueeyes bluefish bluejays bluemoon blues bluesky blur bmw bmwbmw
boat boats bob bobafett bobby bobbyboy bobcat bobmarley bobo boca bocajuniors boeing bogota bolivia bomber bonbon bond
bones bong bonita bonito bonjour bonkers bonnie boo boobear booboo boobs booger boogers boogie boogieman boohoo book
bookmark books bookworm boomboom boomer boots booty bootycall bordeaux boss bosslady bossman boston bowler bowling
bowwow boxer boxing boy boyfriend boys brad bradley brandi brandon brandy brasil brave bravery braves bravo brazil bread
brenda brendan brian brianna bridget bright brisbane britain british britney britneyspears brittany broccoli bronco
broncos bronx brooke brooklyn brother brothers brown brownie brownies browns bruce bruins bruno brussels brutus bryan
bubba bubble bubblegum bubbles buccaneers buckeye buckeyes bucky bucuresti budapest buddha buddy buddyboy budget
budlight budweiser buenosaires buffalo buffon buffy bugatti bugger bugsbunny builder bull bulldog bulldogs bullet bulls
bullseye bullshit bumble bumblebee bumper bunker bunnies bunny burger burn burning burrito burton bus business buster
butch butcher butler butter butterball buttercup butterflies butterfly butters button buttons buzz buzzlightyear c3po
cabbage cactus cadillac caesar cairo caitlin cake cakes caleb calgary cali california callofduty calvin calvinandhobbes
camaro cambridge camel camelot camera cameron camila camille campbell campus canada canadian cancer candle candy
candycane candygirl candyman cannabis cannon canon canucks capetown cappuccino capricorn captain captainamerica
captainjack captainmorgan car caracas caramel carcar cardinal cardinals career caribbean carina carl carla carlito
carlos carlton carmen carol carolina caroline carolyn carpenter carpet carrot carrots cars carter cartman cartoon
casablanca cascade casey cash cashmoney casino casper cassandra cassidy cassie castle castor cat catalina catalyst
catcat catdog catfish catherine cathy catlover cats catwoman cavaliers cccccc cccccccc cecilia cedric celebrity celeste
cell cellphone celtic celtics centaur center central century cesar chad chairman challenger champ champagne champion
champions chance chandler chanel change changeit changeme changethis chantal chaos chapel chapter charger chargers
charisma charity charizard charlene charles charlie charlotte charm charming chase chaton checkers cheddar cheeky cheer
cheerios cheerleader cheerleading cheese cheeseburger cheesecake cheesy cheetah cheetos chef chelsea chelseafc chelsey
chemistry chen chennai cheri cherie cherokee cherries cherry cheryl chess chester chevelle chevrolet chevy chewbacca
chewie chewy chicago chicagobulls chichi chicka chicken chickens chickenwing chico chief chiefs chihuahua children chile
chili chimera chimp china chip chipmunk chipper chippy chiquita chiquito chivas chloe choco chocolat chocolate chopper
chouchou chris christ christian christina christine christmas christopher christy chrome chubbs chubby chuck chucky
chunky church ciao ciaobella ciaociao cielo cigarette cinderella cindy cinema cinta cintaku circle cisco citadel citroen
citron city claire clancy clara clarence clarinet clark classic classical claude claudia claudio clave cleo cleopatra
cleveland clever client clients clifford clipper clock cloud cloudy clover clown clueless clutch cntgfy cobalt cobra
cocacola cocker cocktail coco cocoa coconut code codename codeword coding cody coffee coke cola cold coldplay colin
colleen college collie colombia colonel color colorado colors colt colts columbia columbus combat comedy comet comics
command commando company compaq compass complete computer concord concrete condor conference confused connect connie
connor constant construction contact contrasena contraseña control converse cook cookie cookiemonster cookies cooking
cool coolcat cooldude coolgirl coolguy coolio coolman coolness cooper cop copper coral corazon corinthians corn cornell
corolla corona correcthorse correcthorsebatterystaple corsair corvette cosmic cosmo cosmos cottage cotton coucou cougar
cougars counter counterstrike country countrygirl county courage courtney cousin cousins cow cowboy cowboys cowboyup
cowgirl cows coyote cracker crackers craig crap crash crawford crazy crazyboy crazygirl cream creative creature creep
creepy crescent cricket crimson cristiano cristina crow cruise crusader crush crusher cruzazul cry crybaby crying
crystal cuba cubbies cubs cucciolo cucumber cuddle cuddles cuddly cumulus cupcake cupcakes curious curly curry curtis
custom customer cute cutegirl cutie cutiepie cutlass cyber cyberpunk cycling cyclone cyclops cynthia cypress cyrus dad
dadada daddy daddysgirl daddyslittlegirl dadmom daemon daffy daffyduck dagger daisies daisy daisymae dakota dale dallas
dallascowboys dalmatian damage damascus damian damien damn damnit dana dance dancer dancing danger dangerous daniel
danielle danmark danny danzig daredevil dark darkangel darkknight darklord darkman darkness darkside darkstar darling
darren darthvader database daughter daughters dave david dawn daybreak daylight daytime dazzle dbadmin dbpassword dddddd
dddddddd deadhead deadman deadpool dean death deathmetal debbie debian deborah december deedee deepak deeper default
defender defiant deftones delaney delaware delfin delhi deliver delphi delta demo demodemo demon demons denali denise
denmark dennis dentist denver depeche derek derrick desert design designer desire desiree desktop desperado destiny
detroit deus deusefiel deutschland developer devil devildog devilman devils devin dexter diablo diamond diamonds diana
diane diego diesel digger digital digits dilbert dillon dimitri dimples dinamo dingdong dingo dinosaur dior dipper
director dirtbike dirty disco discord discover discovery disney disneyland disneyworld diva divas diver divine dixie
dizzy dj djdjdj dmitry dobby doberman doctor doctors dodge dodger dodgers dog dogbert dogdog doggie doggy doggystyle
doghouse doglover dogman dogs dolemite doll dollar dollars dolls dolly dolores dolphin dolphins domain dominic dominik
dominion dominique domino dominoes donald donaldduck donkey donkeykong donna donut donuts doobie doodle doodlebug
doodles dookie doom doomsday door doors dopey doris doritos dork dorothy dortmund double doudou doughnut douglas
download dracula dragon dragonball dragonballz dragonfire dragonfly dragons dragoon drake drama drawing drdre dream
dreamcast dreamer dreaming dreamland dreams dress drinking drive driver driving drogba drpepper drum drummer drums drunk
dubai dublin ducati duck duckie ducks ducky dude dudeman dudes dudley duffer duffman duke dukes dumbass dumbledore dumbo
duncan dundee dunkin dusk dustin dusty dutch dutchess dylan dynamic dynamite dynamo dynasty eagle eagleeye eagles
earnhardt earring earth easter easton eastside easy easyway echo eclipse ecstasy ecuador edcrfv eddie edgar edison
eduardo education edward edwin eeeeee eeyore egghead egypt eight eileen einstein elaine elcamino eleanor electra
electric electrician electro element elena elephant elephants eleven elf eli elif elijah elisabeth elite elizabeth ella
ellada ellen elliot elmo elsa elvis elvispresley elwood email embrace emerald emily eminem eminence emirates emma
emperor empire employee emre end energy engine engineer engineering england english enigma enter enternow enterprise
entropy entry epiphone epsilon equinox eragon eric erica erika erin ernest escalade escape escort espana espresso esprit
essence esteban esther estrella estrellita eternal eternity ethan etoile eugene europa europe eva evan evanescence
evangelion evelyn evening everest evergreen everlast everton everything evil evolution example excalibur excellent
exodus exotic expert explore explorer express extra extreme eyeball fabian fabio fabulous facebook facial factory
fairies fairy fairytale faith faithful falcon falcons fall2020 fallen fallout familia family familyfirst familyguy
famous fanatic fanta fantasia fantastic fantasy farmer farming farside fart farts fashion fashionista fast fastball
fastcar faster fatboy fatcat fate father fatih fatima fatty favorite fcbarcelona fear fearless feather february feelgood
felicia felicidade felipe felix fender fenerbahce fenway fernanda fernando ferrari ferret festival feyenoord ffffff
ffffffff fiat fiddle fiddler fiesta figaro fighter fighting filter final finalfantasy finally finance finger fingers
finland fiona fire fireball firebird firefighter firefly firefox firehawk fireman firenze fires firestorm firewall
firewater first fish fisher fisherman fishes fishing five flame flamengo flames flamingo flash flasher flashman flathead
fletcher flexible flight flipper float floppy florence florian florida flounder flower flowerpower flowers floyd fluff
fluffy fly flyaway flyboy flyer flyers flyfish flying focus folklore fool foolish football force ford fordf150 forest
forever foreverlove forget forgetit forgot forgotten formula fortnite fortune forward forzainter forzajuve forzamilan
foster fountain four fox foxes foxtrot foxy fozzie fracture france frances francesca francesco francis francisco frank
frankfurt frankie franklin freak freaky fred freddie freddy frederic freebie freebird freedom freefall freelance freeman
freestyle freeway freewill freeze freezer french frenchie fresh friday friend friends friendship frisbee frisco frisky
frodo frog frogger froggie froggy frogman fromage frontier frost frosty frozen fruitcake fubar fuckit fuckme fuckoff
fuckthis fuckyou fugazi fullmoon funky funkytown funny funnygirl funstuff funtime fusion fussball futurama future
fuzzball fuzzy fylhtq gabby gabriel gabriela gabrielle gadget gaga galactic galatasaray galaxy galileo gambit gambler
game gameboy gamecube gameover gamer games gaming gamma gandalf ganesh gangsta gangster ganja garage garcia garden
gardener garfield garlic garnet garrett gary gasman gateway gatinha gatito gato gator gatorade gators gavin gecko geek
geeky geheim gelato gemini general generic genesis geneva genius gentle gentleman geoffrey geometry george georgia
gerald gerard german germany geronimo gerrard getin getout getsome gfhjkm gggggg ghana ghbdtn ghost ghostbusters ghosts
giant giants gibson gilbert gilligan gina ginger giovanni giraffe girl girlfriend girlpower girls girly gizmo gizmodo
glacier gladiator gladys glasgow glass glitter global glock gloria glory gmail go goalie goaway goblin goblue god
godbless godfather godisgood godisgreat godislove godsmack godzilla goforit gogo gogogo goku gold goldberg golden
goldeneye goldfinger goldfish goldie golf golfball golfer golfing goliath gollum gonzalez gonzo goober goodboy goodbye
goodday goodgirl goodlife goodluck goodman goodmorning goodness goodnight goodtime goodtimes goofy google googoo goose
gordo gordon gorgeous gorilla gospel goteborg gothic grace graceful gracias gracie graduate graham grandam grandma
grandpa granite granny grant grape grapefruit grapes graphic graphics grasshopper grateful gravity gray grease great
greatone greece greed greek green greenapple greenbay greenday greenman greentea greg gregory gremio gremlin gremlins
grey greyhound griffey griffin grizzly groovy group growler gryffindor guadalajara guardian gucci guess guest guestguest
guestpass guido guillaume guinness guitar guitarist guitars gumball gumby gundam gunit gunner gunners gunther gustavo
guy gymnast gymnastics gypsy habana hacked hacker hackers hackme hades hahaha hahahaha hala halflife hallelujah hallo
hallohallo halloween halo ham hamburg hamburger hamilton hamlet hammer hammerhead hamster handsome handyman hannah
hannahmontana hanoi hansolo hanson happiness happy happybirthday happyday happyhappy happyman hardball hardcore hardrock
hardware harlem harley harleydavidson harleyquinn harmony harold harrier harris harrison harry harrypotter harrystyles
harvard harvey hasan hase hasi haslo hassan hastings hat hatchet hate hateme hateyou hatred hats hatter havana havefun
havoc hawaii hawaiian hawk hawkeye hawks hawkwind hazard hazel headache heart hearts heat heather heaven heavenly heavy
heavymetal hector hedgehog hedwig hehehe heidi heineken heinrich hejhej hejsan helen helena helicopter helium hell
hellas hellboy hellfire hello hellohello hellokitty helloworld hellraiser hellyeah helmet helpless helpme helpmeplease
helsinki hendrix henry herbert herbst hercules heritage herman hermana hermano hermes hermione hermosa hermoso hero
heroes hershey heslo hewlett hhhhhh hideout highbury highland highlander highlife highschool hightimes highway hihihi
hilary hilton hinata hiphop hippie hippo history hithere hitman hobbes hobbit hockey hoffman hogwarts hola holahola
holein1 holiday holidays holland hollow holly hollywood holy holyspirit home homeboy homebrew homeless homepage homer
homersimpson homerun homework honda hondacivic honest honesty honey honeybear honeybee honeybunny honeydew hongkong
honolulu honor honour hooker hooligan hooper hoops hoosiers hooters hoover hope hopeful horizon hornet hornets horny
horror horse horseman horses hospital hostmaster hotdog hotgirl hotmail hotrod hotsex hotshot hotspur hotstuff hottie
hotwheels houdini house housewife houston howard howdy hr hrvatska html huang hubby hudson hug huggies huggybear hugo
hugs hulk hulkhogan human humble hummer hummingbird humphrey hund hundred hungary hungry hunter hunting huntress
hurricane hurricanes hurt husband husker huskers huskies husky hussein hustler hybrid hydra hyperion hysteria hyundai
iamadmin iamthebest iamtheone ian ibrahim ice iceberg icecold icecream icecube iceman ichigo ichliebedich idaho idefix
idiot idontcare idontknow iforget iforgot ignatius igor ihateyou iiiiii illinois illusion ilove ilovecats ilovedad
ilovedogs ilovegod iloveher ilovehim iloveit ilovejesus iloveme ilovemom ilovemusic ilovemybaby ilovemyfamily ilovemymom
ilovemyself ilovesex iloveu iloveyou imagination imagine immortal impact impala imperial impossible impulse imthebest
inbox incognito incubus independent india india@123 indiana indianajones indians indigo indonesia ines infamous infantry
inferno infinite infinity ingrid iniesta insane inshallah inside insight inspire inspiron instagram instant integra
integrity intel intense inter interact interest intermilan intern internet interpol intranet intrepid invader inverse
investor invincible invisible ipad iphone iran iraq ireland irene iris irish ironhorse ironmaiden ironman isaac isabel
isabella isabelle ishmael islam island israel istanbul itachi italia italian italiano italy itsme itsmylife iubire ivan
izmir jack jackal jackass jackdaniels jacket jackie jackpot jackson jacksparrow jacob jade jaguar jaguars jaimatadi
jaime jakarta jake jakester jamaica james jamesbond jamie jamjam jammer jan jane janet janice january japan jared jasmin
jasmine jason jasper java javascript javelin javier jay jayden jayhawks jayz jazz jazzman jazzy jean jeanette jeans jedi
jedimaster jeep jeepers jeff jefferson jeffrey jello jelly jellybean jellyfish jelszo jenkins jenna jennifer jenny
jeopardy jeremy jericho jerome jersey jerusalem jesse jessica jessie jester jesus jesuschrist jesuscristo jesusislord
jesuslovesme jesussaves jetaime jethro jets jewel jewelry jewels jigsaw jill jim jimbo jimbob jimihendrix jimmy jingle
jjjjj jjjjjj joan joanna joanne job jobs jobsearch jocelyn joe joel joey johanna johannes john johncena johndoe johngalt
johnlennon johnniewalker johnny johnson jojo jojojo joker jokers jon jonas jonasbrothers jonathan jordan jorge jose
joseph josephine joshua journey joyce joyful joystick juan juanita jubilee judas judge judith judo judy juggalo
juggernaut juice juicy julia julian juliana julie julien juliet july july4th jumbo jump jumper june jungle junior
juniper jupiter justdoit justforfun justice justin justinbieber justine justme justus juve juventus kacper kaiser kaka
kakashi kamikaze kangaroo kansas kanye karachi karaoke karate karen karina karl karma karolina kashmir kasia katana kate
katherine kathleen kathmandu kathryn kathy katie katrina katyperry katze kawaii kawasaki kayak kayla keeper keepout
keith kekeke kelly kelsey ken kendall kennedy kenneth kennwort kenny kentucky kenya kermit kernel kerry kevin key
keyboard keychain keykey keys keystone keyword khalid kick kickass kickboxer kicker kid kiddo kidrock kids kiev killbill
killer killers killjoy killme killzone kilo kim kimball kimber kimberly kimchi king kingdom kingfish kingking kingkong
kinglove kingpin kings kingston kirk kirsten kiss kisses kisskiss kissme kissmyass kitkat kitten kittens kitty kittycat
kittykat kiwi kkkkkk kkkkkkkk klaus klingon knickers knicks knight knights knockout koala kobe kobebryant kobenhavn
kocham kochamcie kochanie kodiak kodikos koeln kokoko kombat konnichiwa konrad korea korn kosmos krakow krishna kristen
kristin kristina kristine kristy kronos krypton kryptonite ktyf kungfu kurt kyle labrador ladder ladies lady ladybug
ladygaga lagos lahore lakers lakeside lakota lakshmi lalala lalalala lambda lambert lamborghini lance lancelot lancer
landmark landon lanka laptop lara larissa larry lars larson laser laserjet last lasttime lasvegas latino latte laugh
laughter laura laurel lauren lava lavalamp lavender lawman lawrence lawson lawyer lazarus lazio lazy lbvf leader leah
leather leavemealone lebanon lebowski lebron ledzeppelin lee leeds leedsutd leelee leeloo lefty legacy legend legendary
legends legion lego legolas legos leia leila lekker lemmein lemon lemonade lemons lennon lennox leo leon leonard
leonardo leopard leopold leslie lester letitgo letmein letmeinnow letmesee letsgo letter letters lettuce leviathan
lexmark lexus liam liberty libra library license liebe liebling liefde life lifeisgood light lightbulb lighter
lighthouse lightning lights lilbit lilith lillian lilly lilo lilwayne lily lima lime limerick limited lincoln linda
lindinha lindo lindsay lindsey linkedin linkin linkinpark linksys linux lion lioness lionheart lionking lions lipgloss
lipstick liquid lisa lisbon listen literature lithium littlebit littlefoot littlegirl littleman littleone liu live
livelaughlove livelife liverpool liverpoolfc livewire living livingston lizard lizzie ljubavi ljubov lkjhgf lkjhgfdsa
llllll lobster local localadmin localhost lock lockdown locked locker logan logical login loginlogin logitech logmein
loki lol lolita lollipop lollol lololo lolololo lombardo london lonely lonestar lonewolf longbeach longbow longhair
longhorn longhorns lookout looney loophole loopy lord lordjesus lordoftherings lordship lorena lorenzo lori lorraine
losangeles losenord loser losers lotr lottery lottie loud louie louis louise louisiana loulou lovable love love2love
love4ever love4u loveable lovebird lovebug lovehate lovehurts loveless lovelife lovelove lovely lovemachine loveme lover
loverboy lovergirl lovers lovesong loveu loveyou lowlife lowrider loyalty lozinka lubov luca lucas lucia luciano lucifer
lucille lucky luckydog luckyone lucy luffy luigi luis luisa luke lukeskywalker luna lunatic lunchbox lune luther lydia
lynn lynx lyon lösenord macbook machine macintosh mackenzie mackie macleod macman madam madcat maddie maddog madeline
madison madman madmax madness madonna madrid maestro mafia magda magellan magenta maggie magic magical magician magick
magicword magnet magneto magnolia magnum magpie magyar mahalo maiden mail mailbox mailman maine mainland majestic
majesty major makaveli makemoney makeup malachi malamute malaysia malcolm malibu mallard mallory malone mama mamama
mamapapa man manager manchester manchesterunited mancity mandarin mandy manga mango manhattan maniac manila mankind
manman manson manuel manuela manunited manutd mapleleafs maradona marathon marble marbles marc marcel march marco marcos
marcus margaret margarita marge maria mariah mariana maribel marie marijuana marilyn marilynmanson marina marine mariner
mariners marines mario marion mariposa marissa marjorie mark market marketing markus marlboro marlene marley marlin
marquis marriage married mars marseille marshal marshall martha martian martin martina martini marvel marvin mary
maryjane maryland maserati mash4077 mashallah mason massacre massive master masterkey masters mastiff matador matchbox
mateo material mateusz math mathematics maths matrix matt matthew matthias mature maureen maurice mauricio maus
mausebaer mausi maverick mavericks max maxima maxime maximo maximum maximus maxmax maxpower maxwell maxx may mayday
mayhem maynard mazda mccartney mcdonald mcdonalds meat meatball meatloaf mechanic medellin medical medicine medusa
meeting megadeth megaman megan megatron mehmet melanie melbourne melissa mellon mellow melody melon member memorex
memorial memories memory memphis men mental mentor meow meowmeow mercedes mercury mercy meredith merlin merlot mermaid
merve mesmerize messenger messi messiah metal metalgear metallic metallica meteor method metro mets meuamor mewtwo
mexican mexico mia miami miamiheat miamor miangel micasa michael michaela michaeljackson michaeljordan micheal michel
michelle michigan mickey mickeymouse microlab microsoft midget midland midnight midnite midway mighty miguel mikael mike
milan milano mildred miley mileycyrus milk milkman milkshake milkyway millenium millennium miller millie million
millionaire milo milton milwaukee mimama mindless mindy mine minecraft minerva mingus minhavida minime minimum minister
minnesota minnie minniemouse minotaur minou minstrel miracle miracles mirage miranda mirror mischief misery misfit
misfits misha misiek miss mission mississippi missouri missy missyou mister mistral misty mitchell mitsubishi mittens
mitzi mivida mizzou mj mmmmmm mnbvc mnbvcxy mnbvcxz mobile mobydick mocha model models modem modena modern mohamed
mohammad mohammed mohawk mojo mojojojo molly molson mom momanddad momdad moment mommom mommy momo momomo mona monaco
moncoeur mond monday money moneybags moneyman moneymoney monica monique monitor monkey monkeyboy monkeyman monkeys
monopoly monroe monsoon monster monsters montana montecarlo monterrey montgomery montreal monty moo moocow mookie moomoo
moon moonbeam mooncake moondog mooney moonlight moonraker moonshine moose mordor moreno morgan moritz morning morocco
moron morpheus morris morrison morrowind mortal mortalkombat mortgage mortimer moscow moses moskva mosquito motdepasse
mother motherlode motion motley motocross motor motorbike motorcycle motorola mountain mountaindew mountains mouse
mousepad movie movies mrs muenchen mufasa muffin muffins muhammad mulan mulder mullet mumbai munchkin murat murder
murphy murray muscle mushroom mushrooms music musica musical musiclover musicman mustafa mustang mustangs mutant mybaby
mychemicalromance mydog myfamily mykids mylife mylittlepony mylord mylove mymother myname mypass mypassword mysecret
myself myspace mysql mystery mystic mystical mystique mythical mythology nachos nadia nadine nairobi naked nala namaste
name names nana nanana nancy nanny naomi napalm napoleon napoli napster narnia naruto nasa nascar nashville nasty
natalia natalie natasha nathan nathaniel native nature naughty naughtyboy nautica nautilus navajo navigator navy ncc1701
ncc1701d nebraska nebula necromancer needles negative neha neil nelson nemesis nemo neo neon nepal neptune nerd nerdy
nessie netadmin netflix netgear netherlands network neutron nevada never neveragain neverforget neverland nevermind
nevermore newcastle newjersey newlife newman neworleans newpass newpassword newport newstart newton newyear newyork
newyorkcity newzealand nexus neymar niagara nibbles nicholas nick nickel nickname nicola nicolas nicole nigeria night
nightfall nighthawk nightmare nightowl nightshade nightwing nihao nike nikita nikki nimbus nimitz nina nine niners ninja
ninjas ninjaturtle nintendo nirvana nissan nitro nitrogen nnnnnn no1 noaccess noah nobody noelle noise nokia nomad
nomore noncapa nonono nonsense noodle noodles nopassword nora norge norma normal norman north northern northside
northstar norton norway nostalgia notebook nothere nothing notredame nounou nova novel novell november nuclear nugget
nuggets number numberone numbers numeric nurse nurses nursing nutcracker nutella nutmeg nyc nymets oakland oakley oasis
obelix oblivion obsession obsidian ocean oceans octavia october octopus odin odyssey office offline offspring ogre ohio
ohiostate ohyeah oilers okinawa oklahoma olaf oldman oldpassword oldschool oleg olga oliver olivia olympia olympiakos
olympus om omar omega omicron omnibus omsairam one onedirection onelove oneone onepiece onetwo onetwothree onion online
onlyme onlyone onlyyou onyx oooooo open opendoor openopen opensesame openup opera operator optimist optimus optimusprime
option oracle orange orangejuice oranges orchard orchid order oregon oreo oreos organic original orioles orion orlando
osaka oscar osiris oslo oswald otaku ottawa otter outback outdoors outkast outlaw outside overkill overload overlord
owen owl oxford oxygen ozzy p4ssw0rd p4ssword p@55w0rd p@ss p@ssw0rd p@ssword pa$$w0rd pa$$word pa55w0rd pa55word pablo
pacers pacific packard packer packers pacman padme padres page paige pain painkiller paintball painter painting paisley
pajamas pakistan palace paladin palmeiras palmer palomino pamela panama panasonic panathinaikos pancake pancakes pancho
panda pandas pandora panic pantera panther panthers panzer papa papapa papaya paperclip papillon papito parachute
paradigm paradise paradox paragon paraguay paramedic paramore paranoid paris parker parol parola parolamea parolparol
parrot partizan partner party partytime pascal pass pass@123 pass@word passcode passe passion passions passme passpass
passphrase passport passw0rd passwd password password@1 passwordd passwordpassword passwords passwort past pasta pastor
patches patience patrice patricia patrick patrickstar patriot patriots pattern patton patty paul paula pauline pavement
payday paypal payroll payton peabody peace peaceful peacelove peaceout peach peaches peachy peacock peanut peanutbutter
peanuts pear pearl pebbles pedro peepee pegasus peggy pele pelican pencil penelope penguin penguins penny pennywise
pentagon pentium people pepper peppers pepsi pepsicola perfect perfection performa perfume perkele perrito perro perry
persian person personal perth peru petal peter peterpan petunia peugeot phantom phantoms pharaoh pharmacy pheasant
phenom phil philadelphia philip philippines phillies phillip philly phish phoebe phoenix phone phones photo photography
photos photoshop php phrase phredd phunky physics piano picard picasso piccolo pickle pickles pickup picture pictures
pierre pigeon piglet pikachu pilgrim pilot pinball pineapple pingpong pinhead pink pinkfloyd pinkie pinklady pinkpanther
pinkpink pinky pinnacle pinocchio pioneer pipeline piper pippen pippin piranha pirate pirates pisces pissoff pistol
pistons pitbull pittsburgh pizza pizzahut pizzaman pizzapie placebo planet plasma plastic platinum platypus playa
playball playboy playdead player playgirl playmate playstation pleasant please pleaseletmein pleasure plum plumber pluto
plymouth pocahontas pocket poet poetry poison poiuy poiuyt poiuytre poiuytrewq pokemon poker poland polar polarbear
polaris police policeman polina political pollux polo polska poncho ponies pontiac pony poodle pooh poohbear pooja
pookie pooky pool poolshark poop pooper poopie poopoo popcorn popeye poppop poppy popstar popular porkchop pornstar
porsche portal porter portland porto portugal poseidon positive postal postgres postman postmaster potato potatoes
potter powder power powerade powerful powerhouse powerman powerranger powers pppppp prada prague praha prayer preacher
precious predator predators prelude premier premium presario presence president presley prestige presto preston
pretender pretty prettygirl price pride primal prime primetime primrose primus prince princesa princesita princess
princeton principessa pringles printer printing priscilla prisoner privacy private privateer privet priya problem
prodigy producer professor profile profit program programmer programming progress project projects prometheus promise
prophet prospect prosper prosperity protect protector prototype proud provider psalm23 psv psycho psychology public
puddin pudding puffin pug pulsar puma pumas pumpkin punisher punk punker punkin punkrock puppet puppies puppy puppylove
purdue purple purplerain purse pussy pussycat puzzle puzzles pyramid python q123456 q1w2e3 q1w2e3r4 q1w2e3r4t5 qatar qaz
qazplm qazqaz qazwsx qazwsxedc qazxsw qq123456 qqqqqq qqqqqqqq qsdfghjklm quake quality quantum quartz quasar quattro
quebec queen queenbee queenie queens quest question quick quicksand quicksilver quiet quiksilver quincy quito quran qwe
qwe!@# qweasd qweasdzxc qweqwe qweqweqwe qwer qwerasdf qwerasdfzxcv qwerqwer qwert qwert12345 qwerty qwerty12345
qwerty1q qwerty@123 qwertyqwerty qwertyu qwertyui qwertyuio qwertyuiop qwertz qwertzui qwertzuiop r2d2 rabbit rabbits
raccoon racecar racer rachael rachel racing radar radiator radical radio radioactive radiohead rafael rage rahasia rahul
raider raiders railroad railway rain rainbow rainbows raindrop rainman rainyday raj rajesh ralph ramadan rambler rambo
ramesh ramirez rammstein ramon ramona rampage ramses randall randy ranger rangers rangersfc rap rapper raptor raptors
raquel rascal raspberry rasputin rasta rastaman ratman rattler raul raven ravens ravi rayman raymond razor razorback
reader reading reality realmadrid reaper rebecca rebekah rebel rebelde rebels reckless record recovery red redalert
redbaron redbird redbone redbull reddevil reddog reddragon redeye redfish redford redfox redgreen redhat redhead redhot
redlight redline redman redmond redneck redred redriver redrose redrum redskins redsox redstar redwing redwings redwood
reebok reefer reeses reeves referee reflex reggae reggie regiment regina register reina reindeer relax reliable reload
remember rememberme remington remote renault rene renee renegade reporter republic requiem reserved resident
residentevil resources respect retired retriever retro revenge reverse revolution rey reynolds rfvtgb rhapsody rhino
rhonda rhubarb ribbon ricardo rice rich richard richie richmond rick rickandmorty ricky ricochet riddle riddler rider
rightnow rihanna riley ringer ringo riodejaneiro riptide rita river rivera riverplate rivers riverside roadkill roadking
roadrunner roadster robbie robert roberto roberts robin robinhood robinson roblox robocop robot robotech robotics robyn
rochester rock rockandroll rocker rocket rocketman rockets rockford rockhard rockies rocknroll rockon rockstar rocky
rockyou rodeo rodney rodrigo roger rogers rogue roland roller rollin rolling rollingstones rollsroyce rolltide roma
roman romance romania romantic rome romeo romero rommel ronald ronaldinho ronaldo ronnie rookie rooney rooster root
rootpass rootpassword rootroot rosa rose rosebud rosemary roses rosie rosita ross rossiya roswell rotten rotterdam
rottweiler router rowing roxanne roxy roy royal royalty rrrrrr rubber ruben ruby rudolph rugby rugrats rules rum run
runaway runescape runfast runner running russell russia rusty ruth ruthless ryan s123456 saab sabbath saber sabine sable
sabotage sabres sabrina sacred sacrifice sad saddle sadie sadness safari safe safety sagapo sagittarius saigon sailboat
sailing sailor saint saints sairam sakura salad salamander salasana salem sales sally salmon saloon salsa salut salvador
salvation sam samantha samiam sammy sample samson samsung samuel samurai sanchez sanctuary sandal sandberg sandiego
sandman sandra sandstorm sandwich sandy sanford sanfrancisco sanity sanjay santa santaclaus santana santiago santos
saopaulo sapphire sara sarah saratoga sasha sashimi sassy sasuke satan satellite satisfy saturday saturn saudade
saunders sauron sausage savage savanna savannah savior saviour savvy sawyer saxman saxophone sayang sayangku scandal
scania scanner scarecrow scared scarface scarlet scarlett schalke schatje schatz schatzi scheisse schnapps schnecke
schneider school schooner science scirocco scoobie scooby scoobydoo scooter scorpio scorpion scorpions scotland scott
scottie scottish scotty scout scouts scrabble scrappy scream screamer screen screwdriver screwyou scruffy scuba
scubadiver scully sea seabee seagull seahawk seahawks sean search seattle sebastian second secret secretcode secreto
secretpassword secrets section secure security seduction seeker segredo select selena selenagomez seminoles semper
semperfi senator seneca senha senior seniseviyorum sensation sensei sentence sentinel seoul september sequoia serena
serenity serge sergeant sergei sergio serial server service sesame seth seven sevens seventeen sevilla seviyorum sex
sexsex sexsexsex sexual sexy sexyback sexybitch sexyboy sexygirl sexylady sexymama sexyman sexyme sexything shadow
shadows shady shaggy shakespeare shakira shalom shaman shamrock shane shanghai shannon shaolin shaq shark sharks sharky
sharon sharp sharpie shasta shawn sheeba sheena sheep sheila shelby sheldon shell shelter shepherd sheriff sherlock
sherman sherry sherwood shibby shiner shining shinobi ship shirley shit shitface shithead shiva shoe shoes shooter
shooting shopping short shortcake shortstop shorty shotgun shout showtime shrek shrimp shuffle shuttle sicilia sideways
sidney siemens sierra sifre sigma sigmachi signal signin silence silencio silent silicon silver silverado silverfish
silverfox silvia simba simon simone simple simplicity simpson simpsons sinbad sinclair singapore singer singing single
sinister sinner sir siren sirius sister sisters six sixers sixpack sixteen ska skate skateboard skater skating skeeter
skeleton sketch skidoo skier skiing skillet skinner skinny skipper skippy skittles skoda skull skunk sky skyblue skydive
skydiver skyhawk skylark skyline skywalk skywalker slacker slammer slapper slapshot slasher slave slayer sleep sleeper
sleeping sleepy slick slider slimjim slimshady slingshot slipknot slippery sloppy slowhand slugger sluggo slunicko
slytherin smackdown small smart smartass smartie smarty smasher smeghead smelly smile smiles smiley smiling smirnoff
smith smithy smitty smoke smoker smokey smoking smooch smooth smoothie smudge smurf smurfs snake snakes snapchat snape
snapper snapple snapshot snatch sneaker sneakers sneaky snickers snipe sniper snooker snoopdog snoopdogg snoopy snooze
snot snow snowball snowbird snowboard snowboarder snowfall snowflake snowman snowwhite snowy snuggles soccer social
socks socrates soda sofia softail softball software sol solaris soldier soledad soleil solitude solomon solution
somebody someday someone something sommar sommer son sonata song sonia sonic sonne sonnenschein sonoma sonrisa sons
sonya sooners sophia sophie soprano sorcerer sorrow soulja soulmate sound soundgarden soundwave soup southafrica
southern southpark southpaw southside space spaceman spaceship spaghetti spain spanish spank spanky sparkle sparkles
sparky sparrow sparta spartacus spartan spartans spawn speak special specialk spectre spectrum speed speedo speedracer
speedster speedway speedy spencer sphinx spider spiderman spike spinner spiral spirit spirits spitfire splash splinter
spock spoiled sponge spongebob spooky sport sporting sports sporty spotify spotty spring springer springfield springtime
sprinter sprite sprout spunky spurs spyder sqladmin sqlserver squall square squash squid squidward squirrel squirt
srbija ssssss ssssssss stacey staff stalker stallion stan standard stanford stanley staple stapler star starbright
starbuck starbucks starcraft stardust starfish stargate stargazer starlight starman stars starship start startrek
starwars static station status stayout steak stealth steel steele steelers steelman stefan stefano stella stellar
stellina steph stephanie stephen sterling stern steve steven stewart stewie sticky stinger stinker stinky stitch stock
stockholm stockton stone stonecold stoned stoner stones stonewall stoney stop storage stories storm stormtrooper stormy
story strange stranger strawberry stream street streets strength strider strike striker string stripes stripper strong
stronger stuart student students studio stunner stupid stuttgart style stylish stylist subaru sublime submarine submit
subway success successful sucker suckme sue sugar sugarbaby sugarbear sugarplum suicide sullivan sultan sum41 summer
summertime summit sundance sunday sundevil sunfire sunflower sunkist sunlight sunny sunnyboy sunnyday sunrise suns
sunset sunshine suomi super superadmin superb superbad superbowl superboy supercool superdave superdog superduper
superfly supergirl superior superman supermario supermodel supernatural supernova superpower supersonic superstar
superuser supervisor superwoman support supra supreme suresh surf surfboard surfer surfing surprise survival survivor
susan susana sushi suzanne suzuki sven sverige swan sweden sweet sweetbaby sweetgirl sweetheart sweetie sweetlove
sweetness sweetpea sweets sweety swift swim swimmer swimming swinger switch switzer switzerland sword swordfish sydney
sylvester sylvia symphony syndrome synergy syracuse syria sysadmin system systemofadown systems tabasco tabitha taco
tacobell tacoma tacos tactical taekwondo taiwan talk talktome tamara tampa tango tanker tanner tanya tara target tarheel
tarheels tarot tarzan tasha tasmania tatata tatiana tattoo taurus taxi taxman taylor taylorswift tea teacher teachers
team teamo teamomucho teamwork teapot tears teaser tech technical technics techno technology tectonic ted teddy
teddybear teenager tehran teiubesc tekken telaviv telecom telefon telephone television tell temp tempest templar temple
temporary temptation ten tennessee tennis tequiero tequila teresa terminal terminator terminus terrapin terrence terrier
terror terrorist terry tesoro test test12345 test@123 testament tester testing testpass testpassword testtest testuser
tetris tetsuo texaco texan texans texas thailand thanksgiving thankyou thanos the theater theatre thebear thebeast
thebeatles thebest theboss thecat thedog thedoors thedude theend theflash thegame thegreat thekid theking thelma theman
themaster thematrix theo theodore theone theory thepassword theprince therapist therapy theresa therock thesims theta
thething thetruth thewho thinker thinkpad third thirdeye thirteen thirty thisismypassword thisispassword thistle thomas
thompson thor thorn thousand thrasher three threesome thriller throttle thug thuglife thumper thunder thunderbird
thunderbolt thundercat thursday tiamo tibet ticket tickle ticktock tiffany tiger tigercat tigerlily tigers tigerwoods
tigger tight tiktok tim timber timberland timeless timeout timmy timothy tina tinker tinkerbell tinman tintin tiny tires
titan titanic titanium titans titleist toad toaster tobacco tobias toby today todd toffee together tokyo tom tomahawk
tomandjerry tomato tomboy tomcat tommy tomorrow tomtom toni tonight tony toonarmy toor tootsie topaz topcat topdog
topgun topnotch topper topsecret torino tornado toronto torpedo torres tortoise total totoro tottenham toulouse tower
townsend toy toyboy toyota toys toystory tracer tracker tractor tracy trading traffic trailer train training trains
traitor trance transam transfer transformer transformers transit transport trapper trashcan travel traveler travelling
travis treasure treefrog treehouse trees trekkie trevor trewq trex trexrex trial triangle tribal tribe trickster trident
trigger trinidad trinity triple triplets tripod tripper tristan triton triumph trivia trixie trojan trojans troll
trombone trooper trophy tropical trouble troy truck trucker truckin trucks trueblue truelove trueman truman trumpet
trust trustgod trustme trustno1 trustnoone truth truthful tryme tsunami tttttt tucker tuesday tulip tulips tundra
tunisia tunnel tupac tuppence turbo turd turkey turkiye turnip turtle turtles tuxedo tweety tweetybird twelve twenty
twentyone twilight twin twinkle twins twisted twister twitter twix two tycoon tyler typhoon tyrant tyrone tyson ubuntu
ugly ukraine ultima ultimate ultimatum ultra ultraman umbrella unbreakable uncle undead undercover underdog underground
undertaker underworld unicorn unicorns uniform union unique united unity universal universe university unknown unlimited
unlock unlocked unreal upload uptown uranus urban ursula uruguay usa usarmy usausa user username userpass useruser usmc
utah utopia uuuuuu vacation vader vagabond valencia valentin valentina valentine valentines valeria valerie valhalla
valkyrie valley valor value vampire vampires vancouver vandal vanessa vanguard vanilla vans vapor variety vasco vaughn
vector vegas vegeta vegetable velocity velvet vendetta venezia venezuela vengeance venice venom ventura venture venus
vera verbatim veritas vermont vernon veronica versace version vertigo vespa veteran vette vfhbyf viagra vicky victor
victoria victory vida video vienna vietnam viewsonic viking vikings viktor viktoria villa village vincent vintage violet
violin viper virginia virgo virtual virus vision visitor visual vitamin vivian vladimir vodka voetbal voice volcano
volcom voldemort volim volimte volkswagen volleyball voltage volume volunteers volvo voodoo voyager vulcan vulture
vvvvvv vwgolf w123456 wachtwoord wade waffle waffles wahoo waiter waiting wake wakeup wales walk walker wall wallace
wallpaper walmart walnut walrus walter walton wanda wang wanted warcraft wareagle warhammer warlock warlord warner
warning warpath warranty warren warrior warriors warsaw warszawa warthog wasabi washburn washington wassup watcher water
waterfall waterloo waterman watermelon waters watson wave waves wayne wealth weasel weather weaver web webadmin
webdesign webmaster website webster wedding wednesday weed weekend weezer weird weirdo welcome welcome@1 welcomeback
welder welkom welsh wendell wendy werder werewolf werner wesley west western westham westlife weston westside westwood
whale whatever whatnow whatsapp whatsup whatthe whatthefuck wheeler wheelman wheels whiplash whiskers whiskey whisky
whisper whistler white whitedog whiterose whitesox whitetail whitewolf whitey whitney whoami whocares whoknows wholesale
wicked widget wife wifey wiggles wilbur wild wildcat wildcats wildchild wildfire wildflower wildman wildone wildthing
wildwood will william williams willie willis willow wilson winchester windmill window windows windowsxp windsor windstar
windsurf wine winger wingman wingnut wings winner winners winnie winniethepooh winston winter wisconsin wisdom wishbone
wishing witch within without wizard wizards woaini wodemima wolf wolfgang wolfman wolfpack wolverine wolverines wolves
woman wombat women wonder wonderboy wonderful wonderland wonderwall wonderwoman woodland woodstock woodwind woody woofer
woofwoof word wordpass words wordup work worker workhard working workout world worldcup worship wrangler wrestle
wrestler wrestling wrinkle writer writing wsxedc wsxqaz wwe wwewwe wwf wwwwww wwwwwwww wxcvbn wyoming xanadu xanax
xander xavier xbox xboxone xerxes xfiles xmas xmen xray xsw21qaz xswzaq xtreme xxx xxxx xxxxx xxxxxx xxxxxxxx yahoo
yahtzee yale yamaha yang yankee yankees yasmin yellow yellowstone yessir yesterday yesyes yesyesyes yfnfif yoda yogibear
yogurt yolanda yomama yosemite young youngblood yourmom yourpassword yourself youtube yoyo yoyoyo ytrewq yuantuo yukon
yummy yuri yusuf yves yvette yvonne yyyyyy z123456 zachary zack zagreb zander zapata zappa zaq1 zaq12wsx zaq1xsw2
zaq1zaq1 zaqwsx zaqwsxcde zaqxsw zealot zebra zelda zenith zephyr zeppelin zero zeroone zeta zeus zeynep zhang zhao
zhjckfd zhou zidane ziggy zigzag zinger zipper zippy zodiac zoe zoltan zombie zombies zoomzoom zorro zulu zurich zvezda
zxasqw zxc zxcasd zxcasdqwe zxcv zxcvb zxcvbn zxcvbnm zxczxc zz123456 zzzzzz zzzzzzzz
`;
