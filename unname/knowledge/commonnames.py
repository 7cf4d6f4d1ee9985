"""Common given and family names of seven languages: enough to see by its values that a column holds names."""

_GIVEN = """
james john robert michael william david richard joseph thomas charles christopher daniel matthew anthony mark donald
steven paul andrew joshua kenneth kevin brian george edward ronald timothy jason jeffrey ryan jacob gary nicholas eric
jonathan stephen larry justin scott brandon benjamin samuel gregory frank alexander raymond patrick jack dennis jerry
tyler aaron henry douglas peter adam nathan walter harold carl arthur albert louis fred ralph roy eugene philip
mary patricia jennifer linda elizabeth barbara susan jessica sarah karen nancy lisa margaret betty sandra ashley
dorothy kimberly emily donna michelle carol amanda melissa deborah stephanie rebecca laura sharon cynthia kathleen amy
shirley angela helen anna brenda pamela nicole samantha katherine emma ruth christine catherine virginia rachel
carolyn janet maria heather diane julie joyce victoria kelly christina joan evelyn lauren judith megan martha andrea
olivia frances ann alice jean doris rose grace sophie chloe lucy hannah ellen jane
peter hans klaus wolfgang jürgen karl günter werner horst helmut manfred uwe dieter heinz bernd ralf stefan jens frank
andreas thomas matthias christian sebastian florian tobias lukas felix jonas maximilian moritz otto fritz friedrich
heinrich hermann wilhelm georg gerhard rainer rolf volker holger dirk sven torsten anke ursula monika petra sabine renate
helga karin brigitte ingrid erika christa gisela susanne birgit heike martina gabriele claudia katrin silke ulrike
annette anja kerstin stefanie sandra nicole katharina johanna hannelore irmgard hildegard elfriede gertrud lena leonie
antonio josé jose manuel francisco juan david javier daniel carlos jesús jesus alejandro miguel rafael pedro pablo ángel
angel sergio fernando luis jorge alberto álvaro alvaro diego adrián adrian raúl raul enrique ramón ramon vicente iván
rubén ruben andrés andres joaquín joaquin santiago eduardo víctor victor roberto ignacio salvador emilio julián julian
maría carmen ana isabel dolores pilar josefa rosa cristina antonia francisca lucía lucia mercedes elena rosario juana
raquel manuela beatriz silvia encarnación nuria inmaculada concepción teresa marta montserrat eulalia alicia sonia
consuelo esperanza soledad amparo paula sara irene alba
jean pierre michel andré andre philippe rené rene louis alain jacques bernard marcel daniel roger claude françois
francois christophe nicolas frédéric frederic laurent stéphane stephane olivier thierry pascal éric christian gérard
gerard guillaume julien sébastien mathieu antoine vincent maxime thibault luc yves marie jeanne françoise monique
catherine nathalie isabelle jacqueline anne sylvie martine madeleine valérie christiane sophie céline chantal denise
nicole véronique aurélie élodie camille léa manon chloé hélène brigitte dominique
giuseppe giovanni antonio mario luigi francesco angelo vincenzo pietro salvatore carlo franco domenico bruno paolo
michele giorgio aldo sergio luciano andrea marco matteo alessandro lorenzo stefano roberto davide simone fabio maria
anna giuseppina rosa angela giovanna teresa lucia carmela caterina francesca antonietta carla elena concetta rita
margherita franca paola giulia chiara federica martina elisa silvia valentina alessia
joão joao josé antónio antonio manuel francisco paulo pedro luís luis carlos rui miguel nuno tiago ricardo bruno
fernando jorge vítor helena maria ana isabel fátima paula sofia inês ines rita joana catarina mariana beatriz luísa
teresa conceição cristina lurdes marcos rafael gustavo felipe rodrigo
jan piet pieter kees henk willem johannes cornelis hendrik gerrit dirk jacob marco erik rob bas daan sem thijs jeroen
maarten martijn wouter ruud anneke marieke johanna cornelia grietje trijntje elisabeth anna femke sanne lotte fleur
ahmed mohamed mohammed muhammad ali hassan hussein fatima aisha mehmet mustafa ayşe ayse fatma wei li ming yuki hiroshi
priya rahul amit sanjay anil sunita ivan sergei dmitri olga natalia svetlana piotr krzysztof andrzej agnieszka katarzyna
"""
_FAMILY = """
smith johnson williams brown jones miller davis wilson anderson taylor thomas moore jackson martin lee thompson white
harris clark lewis robinson walker young allen king wright scott hill green adams nelson baker hall campbell mitchell
carter roberts phillips evans turner parker collins edwards stewart morris murphy cook rogers morgan cooper peterson
reed bailey bell kelly howard ward cox richardson wood watson brooks bennett gray james hughes price myers foster
sanders ross sullivan russell
müller mueller schmidt schneider fischer weber meyer wagner becker schulz hoffmann schäfer koch bauer richter klein
wolf schröder neumann schwarz zimmermann braun krüger hofmann hartmann lange schmitt werner krause meier lehmann schmid
schulze maier köhler herrmann könig walter huber kaiser fuchs peters lang scholz möller weiß jung hahn vogel friedrich
keller günther frank berger winkler roth beck lorenz baumann franke albrecht schuster simon ludwig böhm
garcía garcia gonzález gonzalez rodríguez rodriguez fernández fernandez lópez lopez martínez martinez sánchez sanchez
pérez perez gómez gomez martín jiménez jimenez ruiz hernández hernandez díaz diaz moreno muñoz munoz álvarez alvarez
romero alonso gutiérrez gutierrez navarro torres domínguez dominguez vázquez vazquez ramos gil ramírez ramirez serrano
blanco molina morales suárez suarez ortega delgado castro ortiz rubio marín sanz núñez iglesias medina garrido cortés
castillo santos lozano guerrero cano prieto méndez cruz calvo gallego vidal león
bernard dubois robert petit durand leroy moreau laurent lefebvre lefèvre michel bertrand roux fournier girard bonnet
dupont lambert fontaine rousseau vincent muller mercier blanc guérin boyer garnier chevalier françois legrand gauthier
rossi russo ferrari esposito bianchi romano colombo ricci marino greco bruno gallo conti costa giordano mancini rizzo
lombardi moretti barbieri fontana santoro mariani rinaldi caruso ferrara galli martini leone longo gentile
silva santos ferreira pereira oliveira costa rodrigues martins jesus sousa fernandes gonçalves gomes lopes marques alves
almeida ribeiro pinto carvalho teixeira moreira correia mendes nunes soares vieira monteiro cardoso rocha
jong vries berg bakker visser smit meijer boer mulder groot bos vos peters hendriks dekker brouwer wit dijkstra smits
graaf meer jansen janssen kuiper linden veenstra
nguyen tran wang zhang chen liu yang huang singh kumar sharma patel khan kim park ivanov petrov kowalski nowak yilmaz
"""
COMMON_NAMES = frozenset(f"{_GIVEN} {_FAMILY}".split())
